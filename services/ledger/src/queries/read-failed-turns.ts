import { Generation } from '@sluice/protos/sluice/ledger/v1/ledger';
import type { AccountReads } from '@sluice/read-model';

/** A response has fewer turns. Of more the last ones are read, because the last one decides. */
const turnsMax = 100;

const text = `
  SELECT turn, record FROM failed_generations
  WHERE account_id = $1 AND generation_id = $2
  ORDER BY turn DESC LIMIT ${turnsMax}`;

/** The record of a turn. */
export interface FailedTurn {
  readonly turn: number;
  readonly part: Generation;
}

interface Row {
  readonly turn: number;
  readonly record: unknown;
}

/** Reads the records of the turns of a generation that gave no output. */
export async function readFailedTurns(
  readModel: AccountReads,
  { accountId, generationId }: { readonly accountId: string; readonly generationId: string },
): Promise<readonly FailedTurn[]> {
  const values = [accountId, generationId];
  const rows = await readModel
    .forAccount(accountId)
    .query<Row>({ name: 'read-failed-turns', text, values });
  return rows.map(({ turn, record }) => ({ turn, part: Generation.fromJSON(record) }));
}
