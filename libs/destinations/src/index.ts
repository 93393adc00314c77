export {
  completeConfig,
  configProblems,
  type ConfigUrl,
  configUrls,
  maskConfig,
  mergeConfig,
} from './config/config.ts';
export {
  type AnyConfig,
  configSchemas,
  type DestinationType,
  destinationTypes,
  isDestinationType,
} from './config/types.ts';
export { compileRules, type RuleTest, type RuleValues } from './selection/compile-rules.ts';
export {
  contentRules,
  filterRules,
  type FilterRules,
  filterRulesProblems,
  type RuleField,
} from './selection/filter-rules.ts';
export { isSampled } from './selection/sampling.ts';
export {
  compileSelection,
  type DestinationRegion,
  destinationRegions,
  type FinishedGeneration,
  type Refusal,
  type Selection,
} from './selection/select.ts';
