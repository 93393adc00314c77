import { Generation, type ReportFailuresRequest } from '@sluice/protos/sluice/ledger/v1/ledger';
import type { Database } from '@sluice/read-model';
import { failedGeneration } from '../domain/usage/failed-generation.ts';

/** Rows that one call may remove. */
const removedMax = 1_000;

const insert = `
  INSERT INTO failed_generations (account_id, generation_id, record)
  SELECT account_id, generation_id, record::jsonb
  FROM unnest($1::text[], $2::text[], $3::text[]) AS given (account_id, generation_id, record)
  ON CONFLICT (account_id, generation_id) DO NOTHING`;

const forget = `
  DELETE FROM failed_generations WHERE ctid = ANY (ARRAY(
    SELECT ctid FROM failed_generations WHERE told_at < now() - interval '7 days'
    LIMIT ${removedMax}))`;

/** Keeps each report once and deletes those older than a week. Reports that cannot be stored are left out. */
export async function recordFailures(
  database: Database,
  { failures }: ReportFailuresRequest,
): Promise<void> {
  const rows = new Map<string, readonly [string, string, string]>();
  for (const { accountId, generation } of failures) {
    const record = generation && failedGeneration(accountId, generation);
    if (!record) continue;
    const { generationId } = record;
    const text = JSON.stringify(Generation.toJSON(record));
    rows.set(`${accountId}/${generationId}`, [accountId, generationId, text]);
  }
  const ordered = [...rows.keys()].toSorted((a, b) => (a < b ? -1 : 1));
  const column = (index: 0 | 1 | 2) => ordered.map((key) => rows.get(key)?.[index] ?? '');
  if (ordered.length > 0)
    await database.query({
      name: 'insert-failed-generations',
      text: insert,
      values: [column(0), column(1), column(2)],
    });
  await database.query({ name: 'forget-failed-generations', text: forget, values: [] });
}
