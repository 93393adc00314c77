import { Fault } from '@sluice/errors';
import type { LedgerClient } from '../../clients/ledger-client.ts';
import type { App } from '../app-types.ts';
import { callerOf } from '../caller.ts';
import { keyHash } from '../schemas/fields.ts';
import { budgetProofParameters, budgetProofReply } from '../schemas/proof.ts';

/** The budget that is the credits of the caller's account. */
const creditsId = 'credits';

/** The ledger's own figures: nobody has to believe that a limit was kept. */
export function proofRoutes(app: App, { ledger }: { readonly ledger: LedgerClient }): void {
  app.route({
    method: 'GET',
    url: '/proof/budget/:id',
    config: { auth: 'management', errors: [404] },
    schema: {
      operationId: 'proveBudget',
      summary: 'Read the figures that a limit is kept by',
      params: budgetProofParameters,
      response: { 200: budgetProofReply },
    },
    handler: async (request) => {
      const { accountId } = callerOf(request).key;
      const { id } = request.params;
      if (id !== creditsId && !keyHash.test(id)) throw new Fault('not_found');
      const scopeId = id === creditsId ? accountId : id;
      const { at, budgets } = await ledger.proveBudget(accountId, scopeId);
      if (budgets.length === 0) throw new Fault('not_found');
      return {
        data: {
          id,
          at,
          budgets: budgets.map((budget) => ({
            scope: budget.scopeKind,
            window: budget.windowKind,
            window_start: budget.windowStart,
            includes_byok: budget.includeByok,
            limit_nano_usd: String(budget.limitNanoUsd),
            settled_nano_usd: String(budget.settledNanoUsd),
            leased_nano_usd: String(budget.leasedNanoUsd),
            leases: Number(budget.leases),
            is_within_limit: budget.settledNanoUsd + budget.leasedNanoUsd <= budget.limitNanoUsd,
          })),
        },
      };
    },
  });
}
