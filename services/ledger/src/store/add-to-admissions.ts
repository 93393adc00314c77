import type { Queryable } from '@sluice/read-model';
import type { AdmissionTotals } from '../domain/admission/admission-report.ts';

const text = `
  INSERT INTO admissions AS sum (replica, account_id, day, admitted, settled, released)
  SELECT $1, * FROM unnest($2::text[], $3::date[], $4::bigint[], $5::bigint[], $6::bigint[])
  ON CONFLICT (account_id, day, replica) DO UPDATE SET
    admitted = sum.admitted + excluded.admitted,
    settled = sum.settled + excluded.settled,
    released = sum.released + excluded.released`;

/** Rows of one replica, which has no other writer. */
export async function addToAdmissions(
  transaction: Queryable,
  replica: string,
  totals: readonly AdmissionTotals[],
): Promise<void> {
  if (totals.length === 0) return;
  await transaction.query({
    name: 'add-to-admissions',
    text,
    values: [
      replica,
      totals.map(({ accountId }) => accountId),
      totals.map(({ day }) => day),
      totals.map(({ admitted }) => admitted),
      totals.map(({ settled }) => settled),
      totals.map(({ released }) => released),
    ],
  });
}
