import { Fault } from '@sluice/errors';
import type { LedgerServiceService } from '@sluice/protos/sluice/ledger/v1/ledger';
import type { Database } from '@sluice/read-model';
import type { Calls } from '@sluice/rpc';
import { recordFailures } from '../commands/record-failures.ts';
import { recordFeedback } from '../commands/record-feedback.ts';
import { generationOf } from '../domain/usage/generation.ts';
import { isInstant } from '../domain/usage/usage-fact.ts';
import { readActivity } from '../queries/read-activity.ts';
import { readFailedGeneration } from '../queries/read-failed-generation.ts';
import { readGeneration } from '../queries/read-generation.ts';

const activityRowsMax = 2_000;
const offsetMax = 1_000_000;
const failuresMax = 500;

const unserved: ReadonlySet<string> = new Set(['failed', 'cancelled']);

/** Answers questions about generations and counted usage, always of one account. */
export function usageCalls(
  database: Database,
): Pick<
  Calls<typeof LedgerServiceService>,
  'getGeneration' | 'listActivity' | 'recordFeedback' | 'reportFailures'
> {
  return {
    async getGeneration(request) {
      if (request.generationId.includes('\0')) throw new Fault('not_found');
      const counted = generationOf(await readGeneration(database, request));
      // The replica's report of a generation without output says more than the facts of its attempts.
      const isServed = counted !== undefined && !unserved.has(counted.outcome);
      const failed = isServed ? undefined : await readFailedGeneration(database, request);
      const generation = failed ?? counted;
      if (!generation) throw new Fault('not_found');
      return { generation };
    },
    async listActivity(question) {
      const { fromDay, toDay, offset } = question;
      if (!isDay(fromDay) || !isDay(toDay))
        throw new Fault('invalid_request', { message: 'from_day or to_day is no day' });
      if (offset < 0 || offset > offsetMax)
        throw new Fault('invalid_request', { message: `offset is not from 0 to ${offsetMax}` });
      const rows = await readActivity(database, { ...question, limit: activityRowsMax });
      return { rows: [...rows], isLast: rows.length < activityRowsMax };
    },
    async recordFeedback(feedback) {
      await recordFeedback(database, feedback);
      return {};
    },
    async reportFailures(report) {
      if (report.failures.length > failuresMax)
        throw new Fault('invalid_request', { message: `At most ${failuresMax} failures at once` });
      await recordFailures(database, report);
      return {};
    },
  };
}

function isDay(day: string): boolean {
  return /^\d{4}-\d\d-\d\d$/.test(day) && isInstant(`${day}T00:00:00Z`);
}
