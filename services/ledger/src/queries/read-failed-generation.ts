import { Generation } from '@sluice/protos/sluice/ledger/v1/ledger';
import type { AccountReads } from '@sluice/read-model';

const text = `
  SELECT record FROM failed_generations WHERE account_id = $1 AND generation_id = $2`;

/** What is known of a generation of the account that gave no output; undefined: nothing. */
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
