export { addToolUse, noToolUse } from './request/tool-use.ts';
export { addUsage, withToolUse } from './request/usage-report.ts';
export { runJudged } from './response/run-judged.ts';
export type { TurnLoop } from './response/turn-loop.ts';
export { classify, isPossible, signalsOf } from './selection/routers/auto/classify.ts';
export { taskTypes } from './selection/routers/auto/task-types.ts';
export { countExactly } from './stages/context-compression/count-exactly.ts';
export { shrinkOutput } from './stages/context-compression/shrink/shrink-output.ts';
export { countItems } from './stages/context-compression/count-items.ts';
export { middleOut } from './stages/context-compression/middle-out.ts';
export { healJson } from './stages/response-healing/heal-json.ts';
export { damaged, damages } from './stages/response-healing/testing/damages.ts';
export { failedTurn } from './testing/failed-turn.ts';
export {
  inMemoryCredentials,
  type InMemoryCredentials,
  type KeptCredential,
} from './testing/in-memory-credentials.ts';
export { inMemoryAccounts, type InMemoryAccounts } from './testing/in-memory-accounts.ts';
export { inMemoryLedger, type InMemoryLedger } from './testing/in-memory-ledger.ts';
export {
  type AssignedGuardrail,
  inMemoryPolicies,
  type InMemoryPolicies,
} from './testing/in-memory-policies.ts';
export { inMemorySandbox } from './testing/in-memory-sandbox.ts';
export { type CalledTool, type RanTool, runTool } from './turn/run-tool.ts';
