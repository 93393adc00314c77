import { type KeyManagement, open, type Owner, seal } from '@sluice/envelope';
import type { Queryable } from '@sluice/read-model';
import type { SecretPlace, SecretTable } from './secret-table.ts';

export interface SealDependencies {
  readonly database: Queryable;
  readonly keyManagement: KeyManagement;
  readonly secrets: SecretTable;
}

/** Returns the owner of a sealed secret: opened as that of another account, record or rotation, it is refused. */
export function ownerOf({ accountId, recordId, secretId }: SecretPlace): Owner {
  return { accountId, recordId: `${recordId}/${secretId}` };
}

/** Seals a secret and stores it. What fails afterwards leaves a row that nothing refers to. */
export async function sealSecret(
  { database, keyManagement, secrets }: SealDependencies,
  place: SecretPlace,
  secret: string,
): Promise<void> {
  const envelope = await seal(keyManagement, ownerOf(place), Buffer.from(secret));
  await secrets.store(database, { ...place, envelope });
}

/** Returns undefined if the secret is erased or never existed. Throws UnreadableEnvelope if it cannot be opened. */
export async function openSecret(
  { database, keyManagement, secrets }: SealDependencies,
  place: SecretPlace,
): Promise<string | undefined> {
  const envelope = await secrets.find(database, place);
  if (!envelope) return undefined;
  return Buffer.from(await open(keyManagement, ownerOf(place), envelope)).toString();
}
