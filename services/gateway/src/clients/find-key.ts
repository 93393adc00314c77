import { Fault } from '@sluice/errors';
import { type Key, KeyKind } from '@sluice/protos/sluice/key/v1/key';
import type { KeyCalls } from './calls.ts';
import { present } from './present.ts';

/** Returns a key, as it is or as it was at an instant. Throws not_found for keys of others and management keys. */
export async function findKey(
  keys: KeyCalls,
  accountId: string,
  hash: string,
  at?: string,
): Promise<Key> {
  const found = present((await keys.getKey({ accountId, hash, at })).key);
  if (found.kind !== KeyKind.KEY_KIND_REGULAR) throw new Fault('not_found');
  return found;
}
