export { composeDemands, type EffectiveDemands } from './compose-demands.ts';
export { defaultGuardrailId } from './default-guardrail-id.ts';
export {
  type BuiltinFilter,
  type CustomFilter,
  type Demands,
  type FilterAction,
  filterActionOf,
  modelFamilies,
  type ModelFamily,
  type ScanScope,
} from './demands.ts';
export { type Candidate, type Objection, objectionTo } from './permits.ts';
