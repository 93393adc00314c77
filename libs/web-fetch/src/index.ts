export { type DomainRules, InvalidDomain, parseDomains } from './domains.ts';
export {
  createWebFetcher,
  type FetchedPage,
  type FetchFailure,
  type PageRequest,
  type WebFetcher,
  type WebFetcherOptions,
} from './web-fetcher.ts';
