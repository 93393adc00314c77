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
