import { Fault } from '@sluice/errors';
import type { LedgerServiceService } from '@sluice/protos/sluice/ledger/v1/ledger';
import type { Database } from '@sluice/read-model';
import type { Calls } from '@sluice/rpc';
import { reportAdmissions } from '../commands/report-admissions.ts';
import { admissionReportProblem, isDay } from '../domain/admission/admission-report.ts';
import { readConservation } from '../queries/read-conservation.ts';
import { refuseArchivedDay } from '../store/archived-days.ts';

/** Compares the admissions of replicas with the counted facts. */
export function conservationCalls(
  database: Database,
): Pick<Calls<typeof LedgerServiceService>, 'reportAdmissions' | 'getConservationProof'> {
  return {
    async reportAdmissions(report) {
      const problem = admissionReportProblem(report);
      if (problem !== undefined) throw new Fault('invalid_request', { message: problem });
      return { spoolSequence: await reportAdmissions(database, report) };
    },
    async getConservationProof(question) {
      if (!isDay(question.fromDay) || !isDay(question.toDay))
        throw new Fault('invalid_request', { message: 'from_day or to_day is no day' });
      if (question.fromDay > question.toDay)
        throw new Fault('invalid_request', { message: 'to_day is before from_day' });
      await refuseArchivedDay(database, question.fromDay);
      return await readConservation(database, question);
    },
  };
}
