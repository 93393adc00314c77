import { Fault } from '@sluice/errors';
import type { LedgerServiceService } from '@sluice/protos/sluice/ledger/v1/ledger';
import type { Database } from '@sluice/read-model';
import type { Calls } from '@sluice/rpc';
import { correctUsage } from '../commands/correct-usage.ts';
import { truthProblem } from '../domain/usage/correction.ts';
import { listEstimates, readEstimate } from '../queries/read-estimates.ts';

const estimatesMax = 500;

/** Lists open estimates for replicas that can ask the provider, and takes their corrections. */
export function correctionCalls(
  database: Database,
): Pick<Calls<typeof LedgerServiceService>, 'listEstimates' | 'correctUsage'> {
  return {
    async listEstimates({ replica, limit }) {
      if (limit < 1 || limit > estimatesMax)
        throw new Fault('invalid_request', { message: `limit is not from 1 to ${estimatesMax}` });
      return { estimates: [...(await listEstimates(database, { replica, limit }))] };
    },
    async correctUsage(request) {
      const problem = truthProblem(request);
      if (problem !== undefined) throw new Fault('invalid_request', { message: problem });
      const known = await readEstimate(database, request);
      if (!known) throw new Fault('not_found');
      if (known.isCorrected) return { isNew: false };
      const corrections = await database.transaction((transaction) =>
        correctUsage(transaction, [request], 'provider'),
      );
      return { isNew: corrections.length > 0 };
    },
  };
}
