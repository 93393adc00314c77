import { inspectPresentedKey } from '@sluice/api-key';
import type { EventStore } from '@sluice/es';
import type { IssuedApiKey } from '../domain/api-key/state.ts';
import { loadApiKey } from '../store/api-key-handler.ts';
import { isKeyOf, type Peppers } from './key-digest.ts';

export interface ResolveApiKeyDependencies {
  readonly eventStore: EventStore;
  readonly peppers: Peppers;
}

/**
 * The key that a secret opens, from the log itself and not from a read model: right at once after
 * a change. Disabled and expired keys are answered too. undefined: unknown, deleted, or the secret
 * is not the one that was issued.
 */
export async function resolveApiKey(
  { eventStore, peppers }: ResolveApiKeyDependencies,
  { hash, secret }: { readonly hash: string; readonly secret: string },
): Promise<IssuedApiKey | undefined> {
  if (inspectPresentedKey(secret)?.hash !== hash) return undefined;
  const key = await loadApiKey(eventStore, hash);
  if (key.status !== 'issued') return undefined;
  return isKeyOf(peppers, key.digest, secret) ? key : undefined;
}
