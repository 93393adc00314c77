import { Fault } from '@sluice/errors';
import { KeyCaller } from '../caller/key-caller.ts';
import type { KeyCalls } from '../clients/calls.ts';
import type { PrincipalCacheDependencies } from './principal-cache.ts';
import { sharedTexts } from './shared-texts.ts';

/** Returns what asks for a key: undefined for an unknown or deleted key, and for another secret. */
export function keyResolver(
  calls: Pick<KeyCalls, 'resolveKey'>,
): PrincipalCacheDependencies['resolve'] {
  const shared = sharedTexts();
  return async (presented) => {
    try {
      const { key, revision } = await calls.resolveKey(presented);
      // With the hash that it was asked for by: the same text twice would be kept twice.
      const options = { revision: Number(revision), shared };
      return key && new KeyCaller({ ...key, hash: presented.hash }, options);
    } catch (error) {
      if (error instanceof Fault && error.code === 'not_found') return undefined;
      throw error;
    }
  };
}
