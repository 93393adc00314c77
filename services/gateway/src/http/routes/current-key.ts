import type { AccountClient } from '../../clients/account-client.ts';
import type { LedgerClient } from '../../clients/ledger-client.ts';
import { present } from '../../clients/present.ts';
import type { App } from '../app-types.ts';
import { callerOf } from '../caller.ts';
import { currentKeyReply } from '../schemas/current-key.ts';
import { currentKeyView } from '../views/current-key-view.ts';

export interface CurrentKeyDependencies {
  readonly accounts: AccountClient;
  readonly ledger: LedgerClient;
}

/** What a key of either kind may ask about itself. */
export function currentKeyRoutes(app: App, { accounts, ledger }: CurrentKeyDependencies): void {
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
      const { accountId, hash } = caller.key;
      const [account, [spend], { hasPurchased }] = await Promise.all([
        accounts.findAccount(accountId),
        ledger.readSpend(accountId, [hash]),
        ledger.readCredits(accountId),
      ]);
      return { data: currentKeyView({ caller, account, spend: present(spend), hasPurchased }) };
    },
  });
}
