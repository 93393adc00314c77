export { readFact, writeFact } from './fact-json.ts';
export type { UsageAttempt, UsageFact } from './usage-fact.ts';
export {
  columnOf,
  type SqlType,
  usageColumns,
  usageFields,
  type UsageTable,
} from './usage-fields.ts';
export { parseUsageId, type UsageStep } from './usage-id.ts';
