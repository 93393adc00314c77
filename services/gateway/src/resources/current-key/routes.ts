import type { Clock } from '@sluice/clock-and-ids';
import { Fault } from '@sluice/errors';
import type {
  AccountCalls,
  LedgerCalls,
  PolicyCalls,
  WorkspaceCalls,
} from '../../clients/calls.ts';
import { findAccount } from '../../clients/find-account.ts';
import { readSpend } from '../../clients/key-spend.ts';
import { present } from '../../clients/present.ts';
import type { App } from '../../http/app-types.ts';
import { callerOf } from '../../http/caller.ts';
import { allowedDataRegions } from './data-regions.ts';
import { currentKeyReply } from './schema.ts';
import { currentKeyView } from './view.ts';

export interface CurrentKeyDependencies {
  readonly accounts: AccountCalls;
  readonly workspaces: Pick<WorkspaceCalls, 'getWorkspace'>;
  readonly policies: PolicyCalls;
  readonly ledger: LedgerCalls;
  readonly clock: Clock;
}

/** Serves the questions that a key of either kind may ask about itself. */
export function currentKeyRoutes(app: App, dependencies: CurrentKeyDependencies): void {
  const { accounts, policies, ledger, clock } = dependencies;
  app.route({
    method: 'GET',
    url: '/v1/key',
    config: { auth: 'any', errors: [] },
    schema: {
      operationId: 'getCurrentKey',
      summary: 'Read what the calling key is, may and used',
      response: { 200: currentKeyReply },
    },
    handler: async (request) => {
      const caller = callerOf(request);
      const { accountId, hash, workspaceId } = caller.key;
      const [account, [spend], credits, hasWorkspace, regions] = await Promise.all([
        findAccount(accounts, accountId),
        readSpend(ledger, clock.now(), accountId, [hash]),
        ledger.getCredits({ accountId }),
        isThere(dependencies, accountId, workspaceId),
        allowedDataRegions(policies, caller.key),
      ]);
      const facts = { caller, account, credits, hasWorkspace, regions };
      return { data: currentKeyView({ ...facts, spend: present(spend) }) };
    },
  });
}

async function isThere(
  { workspaces }: CurrentKeyDependencies,
  accountId: string,
  workspaceId: string,
): Promise<boolean> {
  if (workspaceId === '') return false;
  try {
    await workspaces.getWorkspace({ accountId, workspaceId });
    return true;
  } catch (error) {
    if (error instanceof Fault && error.code === 'not_found') return false;
    throw error;
  }
}
