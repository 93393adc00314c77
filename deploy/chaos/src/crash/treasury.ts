import { randomUUID } from 'node:crypto';
import { Fault } from '@sluice/errors';
import { AccountServiceService } from '@sluice/protos/sluice/account/v1/account';
import { rpcClient } from '@sluice/rpc';
import type { Answer, GrantCredits, Outcome } from './command.ts';
import type { Surroundings } from './surroundings.ts';

const deadlineMs = 10_000;

/** Credits are granted over gRPC: the public API has no route for it. Never throws. */
export interface Treasury {
  /** The same attempts of one command carry the same command id. */
  send(command: GrantCredits, commandId: string): Promise<Answer>;
  close(): void;
}

export function treasuryOf(surroundings: Surroundings, accountId: string): Treasury {
  const { accountAddress: address, rpcToken: token } = surroundings;
  const accounts = rpcClient(AccountServiceService, { address, token, deadlineMs });
  return {
    async send({ grantId, amountNanoUsd }, commandId) {
      const requestId = `chaos-${randomUUID()}`;
      const context = {
        commandId,
        requestId,
        accountId,
        actorType: 'system',
        actorId: 'chaos',
        traceparent: '',
      };
      try {
        await accounts.grantCredits({ context, grantId, amountNanoUsd, reason: 'crash test' });
        return { outcome: 'acknowledged', status: 'OK', requestId, hash: '' };
      } catch (error) {
        const code = error instanceof Fault ? error.code : 'internal';
        return { outcome: outcomeOf(error), status: code, requestId, hash: '' };
      }
    },
    close: () => accounts.close(),
  };
}

const refusals: ReadonlySet<string> = new Set([
  'conflict',
  'invalid_request',
  'not_found',
  'permission_denied',
  'revision_conflict',
]);

function outcomeOf(error: unknown): Outcome {
  return error instanceof Fault && refusals.has(error.code) ? 'refused' : 'unknown';
}
