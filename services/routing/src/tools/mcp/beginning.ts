import type { JsonObject } from '@sluice/client-schemas';
import type { ApprovedCall } from './read-approvals.ts';

/** The part of an answer before the first turn of the model. */
export interface McpBeginning {
  /** The lists of servers that were called, as items. */
  readonly lists: readonly JsonObject[];
  /** The calls that run before the model is asked. */
  readonly approved: readonly ApprovedCall[];
}
