export { createSearchEngines, type SearchEngines, type SearchKey } from './choose-engine.ts';
export { createSearchEngine, type EngineOptions } from './create-engine.ts';
export type { Dial } from './exchange.ts';
export {
  type ContextSize,
  type EngineName,
  engineNames,
  keyedEngineNames,
  type SearchEngine,
  type SearchOptions,
  type SearchOutcome,
  type SearchProblem,
  type SearchResult,
  type SearchSettings,
} from './search.ts';
export { type SearchProxy, viaProxy } from './dial.ts';
export { createPageEngine, type PageEngineOptions } from './pages/create-page-engine.ts';
export {
  type PageEngine,
  type PageEngineName,
  pageEngineNames,
  type PageEngines,
  type PageOutcome,
  type PageProblem,
} from './pages/page-engine.ts';
