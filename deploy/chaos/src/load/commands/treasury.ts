import { randomUUID } from 'node:crypto';
import { Fault } from '@sluice/errors';
import { AccountServiceService } from '@sluice/protos/sluice/account/v1/account';
import { rpcClient } from '@sluice/rpc';
import type { Installation } from '../../parts/installation.ts';
import type { GrantCredits, Reply } from './command.ts';

const deadlineMs = 10_000;
const refusals: ReadonlySet<string> = new Set([
  'conflict',
  'invalid_request',
  'not_found',
  'permission_denied',
  'revision_conflict',
]);

export type Treasury = ReturnType<typeof openTreasury>;

/** Grants credits over gRPC: the public API has no route for it. */
export function openTreasury(installation: Installation) {
  const { accountAddress: address, rpcToken: token, bootstrap } = installation;
  const accounts = rpcClient(AccountServiceService, { address, token, deadlineMs });
  const actor = { actorType: 'system', actorId: 'chaos', traceparent: '' };
  const accountId = bootstrap.organization_id;
  return {
    /** Never throws. All attempts of one command carry the same command id. */
    async send(command: GrantCredits, commandId: string): Promise<Reply> {
      const { grantId, amountNanoUsd } = command;
      const requestId = `chaos-${randomUUID()}`;
      const context = { commandId, requestId, accountId, ...actor };
      try {
        await accounts.grantCredits({ context, grantId, amountNanoUsd, reason: 'crash test' });
        return { outcome: 'acknowledged', status: 'OK', reason: '', requestId, hash: '' };
      } catch (error) {
        const status = error instanceof Fault ? error.code : 'internal';
        return {
          outcome: refusals.has(status) ? 'refused' : 'unknown',
          status,
          reason: (error as Error).message,
          requestId,
          hash: '',
        };
      }
    },
    [Symbol.dispose]: () => accounts.close(),
  };
}
