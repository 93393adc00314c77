import { invalidRequest, rejectionToFault } from '@sluice/errors';
import { isProviderSlug } from '@sluice/provider-registry';
import type { AccountReads } from '@sluice/read-model';
import type { Secret } from '@sluice/service';
import { formatOf, labelOf } from '../../domain/byok/credential-format.ts';
import type { ByokSettings } from '../../domain/byok/events.ts';
import { findApiKeys } from '../../queries/find-api-keys.ts';

/** What may be seen of it. Throws invalid_request for what the provider does not take; never says it. */
export function labelOfCredential(provider: string, secret: Secret): string {
  if (!isProviderSlug(provider)) throw refused('provider', 'is no provider that we know');
  const label = labelOf(provider, secret.reveal());
  if (label === undefined) throw refused('key', `must be ${formatOf(provider)}`);
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
    throw refused('allowed_api_key_hashes', 'names a key that there is not');
}

export function refused(path: string, message: string) {
  return rejectionToFault(invalidRequest([{ path, message }]));
}
