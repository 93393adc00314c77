export { composeDemands, type EffectiveDemands } from './compose-demands.ts';
export { defaultGuardrailId } from './default-guardrail-id.ts';
export {
  type BuiltinFilter,
  type CustomFilter,
  type Demands,
  type FailMode,
  type FilterAction,
  filterActionOf,
  modelFamilies,
  type ModelFamily,
  readFailMode,
  readScanOutput,
  type ScanOutput,
  type ScanScope,
} from './demands.ts';
export { failModeOf, outputScanOf } from './filter-modes.ts';
export { patternInstructionsMax } from './pattern-budget.ts';
export { type Candidate, type Objection, objectionTo } from './permits.ts';
