import { Generation, type ReportFailuresRequest } from '@sluice/protos/sluice/ledger/v1/ledger';
import type { Database } from '@sluice/read-model';
import { failedGeneration, failedTurn } from '../domain/usage/failed-generation.ts';
import { givenRows } from '../store/given-rows.ts';

/** Rows that one call may remove. */
const removedMax = 1_000;

const given = givenRows({
  accountId: 'text',
  generationId: 'text',
  turn: 'bigint',
  record: 'text',
});

const insert = `
  INSERT INTO failed_generations (account_id, generation_id, turn, record)
  SELECT account_id, generation_id, turn, record::jsonb FROM ${given.from}
  ON CONFLICT (account_id, generation_id, turn) DO NOTHING`;

const forget = `
  DELETE FROM failed_generations WHERE ctid = ANY (ARRAY(
    SELECT ctid FROM failed_generations WHERE told_at < now() - interval '7 days'
    LIMIT ${removedMax}))`;

interface FailedRow {
  readonly accountId: string;
  readonly generationId: string;
  readonly turn: number;
  readonly record: string;
}

/**
 * Keeps the report of each turn once and deletes reports older than a week. Reports that cannot be stored are left
 * out.
 */
export async function recordFailures(
  database: Database,
  { failures }: ReportFailuresRequest,
): Promise<void> {
  const rows = new Map<string, FailedRow>();
  for (const failure of failures) {
    const row = rowOf(failure);
    if (row) rows.set(`${row.accountId}/${row.generationId}/${String(row.turn)}`, row);
  }
  // In the order of their keys, so that two transactions never wait for each other in a circle.
  const ordered = [...rows].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
  if (ordered.length > 0)
    await database.query({
      name: 'insert-failed-generations',
      text: insert,
      values: given.valuesOf(ordered),
    });
  await database.query({ name: 'forget-failed-generations', text: forget, values: [] });
}

function rowOf({
  accountId,
  generation,
  turn,
}: ReportFailuresRequest['failures'][number]): FailedRow | undefined {
  const record = generation && failedGeneration(accountId, generation);
  const number = failedTurn(turn);
  if (!record || number === undefined) return undefined;
  const { generationId } = record;
  return {
    accountId,
    generationId,
    turn: number,
    record: JSON.stringify(Generation.toJSON(record)),
  };
}
