import { type KeyManagement, type Owner, seal } from '@sluice/envelope';
import type { Database } from '@sluice/read-model';
import type { Secret } from '@sluice/boot';
import { type SecretPlace, storeSecret } from '../../store/byok-secrets.ts';

export interface SealDependencies {
  readonly database: Database;
  readonly keyManagement: KeyManagement;
}

/** Whose a sealed secret is: opened as that of another account, credential or rotation, it is refused. */
export function ownerOf({ accountId, credentialId, secretId }: SecretPlace): Owner {
  return { accountId, recordId: `${credentialId}/${secretId}` };
}

/** Seals a secret and stores it. What fails afterwards leaves a row that nothing refers to. */
export async function sealCredential(
  { database, keyManagement }: SealDependencies,
  place: SecretPlace,
  secret: Secret,
): Promise<void> {
  const envelope = await seal(keyManagement, ownerOf(place), Buffer.from(secret.reveal()));
  await storeSecret(database, { ...place, envelope });
}
