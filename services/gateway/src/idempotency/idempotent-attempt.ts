import type { BeginRequestRequest } from '@sluice/protos/sluice/account/v1/idempotency';
import type { Seal } from './sealed-answer.ts';

/** The name of a request that may be sent again. */
export type IdempotentRequest = Omit<BeginRequestRequest, 'bodySha256'>;

/** A request that is carried out under an idempotency key. Its answer is kept. */
export interface IdempotentAttempt {
  /** The id of its command: the same however often the request is sent. */
  readonly commandId: string;
  readonly request: IdempotentRequest;
  readonly attempt: number;
  readonly seal: Seal;
}
