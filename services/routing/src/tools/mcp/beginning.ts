import type { JsonObject } from '@sluice/client-schemas';
import type { SuspendedWorker } from '../subagent/workers.ts';
import type { ApprovedCall } from './read-approvals.ts';

/** The part of an answer before the first turn of the model. */
export interface McpBeginning {
  /** The lists of servers that were called, as items. */
  readonly lists: readonly JsonObject[];
  /** The calls that run before the model is asked. */
  readonly approved: readonly ApprovedCall[];
  /** The workers of an earlier response that go on before the model is asked. Absent: there is none. */
  readonly suspended?: readonly SuspendedWorker[];
}
