import type { Clock } from '@sluice/clock-and-ids';
import { nanoUsdToNumber } from '@sluice/inference';
import type { LedgerCalls } from '../../clients/calls.ts';
import type { App } from '../../http/app-types.ts';
import { callerOf } from '../../http/caller.ts';
import { requirePast } from '../../http/require-past.ts';
import { creditsQuery, creditsReply } from './schema.ts';

interface CreditsDependencies {
  readonly ledger: LedgerCalls;
  readonly clock: Clock;
}

export function creditsRoutes(app: App, { ledger, clock }: CreditsDependencies): void {
  app.route({
    method: 'GET',
    url: '/v1/credits',
    config: { auth: 'management', errors: [400] },
    schema: {
      operationId: 'getCredits',
      summary:
        'Read what was bought or granted, and what was spent of it, now or at a past instant',
      querystring: creditsQuery,
      response: { 200: creditsReply },
    },
    handler: async (request) => {
      const { at } = request.query;
      if (at !== undefined) requirePast('at', at, clock);
      const { accountId } = callerOf(request);
      const credits = await ledger.getCredits({ accountId, at });
      return {
        data: {
          total_credits: nanoUsdToNumber(credits.totalCreditsNanoUsd),
          total_usage: nanoUsdToNumber(credits.totalUsageNanoUsd),
        },
      };
    },
  });
}
