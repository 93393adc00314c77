export {
  createWebFetcher,
  type FetchedFile,
  type FetchedPage,
  type FetchFailure,
  type PageRequest,
  type WebFetcher,
  type WebFetcherOptions,
} from './web-fetcher.ts';
