import type { IdempotentRequest } from '../clients/idempotency-client.ts';
import type { Seal } from './sealed-answer.ts';

/** A request that is carried out under an idempotency key. Its answer is kept. */
export interface IdempotentAttempt {
  /** The id of its command: the same however often the request is sent. */
  readonly commandId: string;
  readonly request: IdempotentRequest;
  readonly attempt: number;
  readonly seal: Seal;
}
