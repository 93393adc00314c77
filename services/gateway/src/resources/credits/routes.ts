import { nanoUsdToNumber } from '@sluice/inference';
import type { LedgerClient } from '../../clients/ledger-client.ts';
import type { App } from '../../http/app-types.ts';
import { callerOf } from '../../http/caller.ts';
import { creditsReply } from './schema.ts';

export function creditsRoutes(app: App, { ledger }: { readonly ledger: LedgerClient }): void {
  app.route({
    method: 'GET',
    url: '/v1/credits',
    config: { auth: 'management', errors: [] },
    schema: {
      operationId: 'getCredits',
      summary: 'Read what was bought or granted, and what was spent of it',
      response: { 200: creditsReply },
    },
    handler: async (request) => {
      const credits = await ledger.readCredits(callerOf(request).accountId);
      return {
        data: {
          total_credits: nanoUsdToNumber(credits.totalCreditsNanoUsd),
          total_usage: nanoUsdToNumber(credits.totalUsageNanoUsd),
        },
      };
    },
  });
}
