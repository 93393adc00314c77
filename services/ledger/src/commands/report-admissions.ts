import { Fault } from '@sluice/errors';
import type { Database, Queryable } from '@sluice/read-model';
import type { AdmissionReport } from '../domain/admission/admission-report.ts';
import { addToAdmissions } from '../store/add-to-admissions.ts';

const lock = `
  SELECT epoch, spool_sequence FROM admission_reports WHERE replica = $1 FOR UPDATE`;

const write = `
  INSERT INTO admission_reports AS known
    (replica, first_epoch, epoch, spool_sequence, settled_sequence)
  VALUES ($1, $2, $2, $3, $4)
  ON CONFLICT (replica) DO UPDATE SET epoch = excluded.epoch,
    spool_sequence = excluded.spool_sequence, settled_sequence = excluded.settled_sequence,
    reported_at = now()`;

/**
 * Takes a stretch of a replica's spool that begins where the last one ended; any other one changes nothing.
 * Answers where the next one begins. Throws conflict for an epoch that has ended.
 */
export async function reportAdmissions(
  database: Database,
  report: AdmissionReport,
): Promise<bigint> {
  const { replica, epoch, afterSpoolSequence, toSpoolSequence, settledSequence } = report;
  return await database.transaction(async (transaction) => {
    const [known] = await transaction.query<{ epoch: bigint; spool_sequence: bigint }>({
      name: 'lock-admission-report',
      text: lock,
      values: [replica],
    });
    if (known && known.epoch > epoch)
      throw new Fault('conflict', { message: 'A newer epoch of this replica is known' });
    const reported = known?.spool_sequence ?? 0n;
    if (toSpoolSequence === 0n || reported !== afterSpoolSequence) return reported;
    await transaction.query({
      name: 'write-admission-report',
      text: write,
      values: [replica, epoch, toSpoolSequence, settledSequence],
    });
    await addToAdmissions(transaction, replica, report.totals);
    await replaceOpen(transaction, report);
    return toSpoolSequence;
  });
}

async function replaceOpen(
  transaction: Queryable,
  { replica, open }: AdmissionReport,
): Promise<void> {
  await transaction.query({
    name: 'clear-open-attempts',
    text: 'DELETE FROM open_attempts WHERE replica = $1 AND NOT usage_id = ANY($2)',
    values: [replica, open.map(({ usageId }) => usageId)],
  });
  if (open.length === 0) return;
  await transaction.query({
    name: 'insert-open-attempts',
    text: `
      INSERT INTO open_attempts
      SELECT $1, * FROM unnest($2::text[], $3::text[], $4::timestamptz[], $5::bigint[])
      ON CONFLICT (replica, usage_id) DO NOTHING`,
    values: [
      replica,
      open.map(({ usageId }) => usageId),
      open.map(({ accountId }) => accountId),
      open.map(({ admittedAt }) => admittedAt),
      open.map(({ holdNanoUsd }) => holdNanoUsd),
    ],
  });
}
