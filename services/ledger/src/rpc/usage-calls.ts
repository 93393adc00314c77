import { Fault } from '@sluice/errors';
import type { LedgerServiceService } from '@sluice/protos/sluice/ledger/v1/ledger';
import type { Database } from '@sluice/read-model';
import type { Calls } from '@sluice/rpc';
import { isInstant } from '@sluice/usage-facts';
import { recordFailures } from '../commands/record-failures.ts';
import { recordFeedback } from '../commands/record-feedback.ts';
import { generationOf } from '../domain/usage/generation.ts';
import { admissionRange } from '../queries/admission-range.ts';
import { readActivity } from '../queries/read-activity.ts';
import { readFailedTurns } from '../queries/read-failed-turns.ts';
import { type GenerationFact, readGeneration } from '../queries/read-generation.ts';
import { readArchived, sentenceOf } from '../store/archived-days.ts';

const activityRowsMax = 2_000;
const offsetMax = 1_000_000;
const failuresMax = 500;

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
      const [counted, failed] = await Promise.all([
        readGeneration(database, request),
        readFailedTurns(database, request),
      ]);
      const generation = generationOf<GenerationFact>(counted, failed);
      if (!generation) throw await notFound(database, request.generationId);
      const { attempts, turns, toolCalls } = generation;
      return {
        generation: {
          ...generation,
          attempts: [...attempts],
          turns: [...turns],
          toolCalls: toolCalls.map((call) => ({ ...call, counts: { ...call.counts } })),
        },
      };
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

/** Says that old usage is archived, if the generation is that old. */
async function notFound(database: Database, generationId: string): Promise<Fault> {
  const archived = await readArchived(database);
  const isOld = archived && new Date(admissionRange([generationId]).from) < archived.until;
  return new Fault('not_found', isOld ? { message: sentenceOf(archived) } : {});
}

function isDay(day: string): boolean {
  return /^\d{4}-\d\d-\d\d$/.test(day) && isInstant(`${day}T00:00:00Z`);
}
