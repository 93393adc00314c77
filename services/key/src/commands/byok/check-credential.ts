import { invalidValue } from '@sluice/errors';
import { isCredentialUrl, isWellFormedSlug } from '@sluice/provider-registry';
import type { AccountReads } from '@sluice/read-model';
import type { Secret } from '@sluice/boot';
import { formatOf, labelOf } from '../../domain/byok/credential-format.ts';
import type { ByokSettings } from '../../domain/byok/events.ts';
import { findApiKeys } from '../../queries/find-api-keys.ts';

/**
 * Returns what may be seen of a credential. Throws invalid_request for one that its provider does not take; never
 * says it. Whether there is such a provider is for the gateway to ask: routing alone knows the catalog.
 */
export function labelOfCredential(provider: string, secret: Secret): string {
  if (!isWellFormedSlug(provider)) throw invalidValue('provider', 'must be the slug of a provider');
  const label = labelOf(provider, secret.reveal(), isCredentialUrl);
  if (label === undefined) throw invalidValue('key', `must be ${formatOf(provider)}`);
  return label;
}

/** Throws invalid_request for a hash that no regular key of the account has. */
export async function assertKeysExist(
  readModel: AccountReads,
  accountId: string,
  { allowedApiKeyHashes: hashes }: Partial<ByokSettings>,
): Promise<void> {
  if (!hashes) return;
  const found = await findApiKeys(readModel, { accountId, hashes });
  const known = new Set(found.map(({ hash }) => hash));
  if (!hashes.every((hash) => known.has(hash)))
    throw invalidValue('allowed_api_key_hashes', 'names a key that there is not');
}
