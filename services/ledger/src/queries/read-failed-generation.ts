import { Generation } from '@sluice/protos/sluice/ledger/v1/ledger';
import type { AccountReads } from '@sluice/read-model';

const text = `
  SELECT record FROM failed_generations WHERE account_id = $1 AND generation_id = $2`;

/** Reads the record of a generation that gave no output; undefined: there is none. */
export async function readFailedGeneration(
  readModel: AccountReads,
  { accountId, generationId }: { readonly accountId: string; readonly generationId: string },
): Promise<Generation | undefined> {
  const values = [accountId, generationId];
  const [row] = await readModel
    .forAccount(accountId)
    .query<{ readonly record: unknown }>({ name: 'read-failed-generation', text, values });
  return row && Generation.fromJSON(row.record);
}
