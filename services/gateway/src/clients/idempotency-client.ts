import type { IdempotencyServiceService } from '@sluice/protos/sluice/account/v1/idempotency';
import type { Calls } from '@sluice/rpc';
import { present } from './present.ts';

/** The account service's record of answers by idempotency key. */
export type IdempotencyCalls = Calls<IdempotencyServiceService>;

/** Names a request of an account. */
export interface IdempotentRequest {
  readonly accountId: string;
  /** Method and path. */
  readonly route: string;
  readonly idempotencyKey: string;
}

export type BegunRequest =
  | { readonly outcome: 'fresh'; readonly attempt: number }
  | { readonly outcome: 'in_progress'; readonly retryAfterSeconds: number }
  | { readonly outcome: 'mismatch' }
  | { readonly outcome: 'answered'; readonly status: number; readonly sealedAnswer: Uint8Array };

export interface IdempotencyClient {
  begin(request: IdempotentRequest, bodySha256: string): Promise<BegunRequest>;
  complete(
    request: IdempotentRequest,
    answered: {
      readonly attempt: number;
      readonly status: number;
      readonly sealedAnswer: Buffer;
    },
  ): Promise<void>;
  /** Allows a new attempt at once. If the old one may have been carried out, the body must be the same. */
  abandon(
    request: IdempotentRequest,
    given: { readonly attempt: number; readonly mayBeDone: boolean },
  ): Promise<void>;
}

export function idempotencyClient(calls: IdempotencyCalls): IdempotencyClient {
  return {
    async begin(request, bodySha256) {
      const begun = await calls.beginRequest({ ...request, bodySha256 });
      const outcome = present(begun.outcome);
      switch (outcome.$case) {
        case 'fresh':
          return { outcome: 'fresh', attempt: outcome.value.attempt };
        case 'inProgress':
          return {
            outcome: 'in_progress',
            retryAfterSeconds: outcome.value.retryAfterSeconds,
          };
        case 'mismatch':
          return { outcome: 'mismatch' };
        case 'answered':
          return { outcome: 'answered', ...outcome.value };
      }
    },
    async complete(request, answered) {
      await calls.completeRequest({ ...request, ...answered });
    },
    async abandon(request, given) {
      await calls.abandonRequest({ ...request, ...given });
    },
  };
}
