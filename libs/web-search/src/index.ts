export { createSearchEngines, type SearchEngines } from './choose-engine.ts';
export { createSearchEngine, type EngineOptions } from './create-engine.ts';
export { isDomainPattern } from './domains.ts';
export { exaModes } from './engines/exa.ts';
export { parallelModes } from './engines/parallel.ts';
export type { Dial } from './exchange.ts';
export {
  type ContextSize,
  type EngineName,
  engineNames,
  type SearchEngine,
  type SearchOptions,
  type SearchOutcome,
  type SearchProblem,
  type SearchResult,
  type SearchSettings,
} from './search.ts';
