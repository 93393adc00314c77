import { setTimeout as delay } from 'node:timers/promises';
import { inspectPresentedKey } from '@sluice/api-key';
import { Fault } from '@sluice/errors';
import { historyOf, historyOfRevision, type Queryable, requireReadable } from '@sluice/read-model';
import type { ApiKey, IssuedApiKey } from '../domain/api-key/state.ts';
import { findKeyState, type FoundKeyState } from '../queries/find-key-state.ts';
import { apiKeyEvents } from '../store/api-key-events.ts';
import { isKeyOf, type Peppers } from './key-digest.ts';

export interface ResolveApiKeyDependencies {
  readonly readModel: Queryable;
  readonly peppers: Peppers;
  /** False while the read model has never held all keys: a key that it lacks may exist. */
  readonly isComplete: () => boolean;
}

export interface PresentedKey {
  readonly hash: string;
  readonly secret: string;
  /** Published revision of the key that the caller knows. The answer is at least as new. */
  readonly atLeastRevision?: bigint | undefined;
}

export interface ResolvedApiKey {
  readonly key: IssuedApiKey;
  /** The revision that notices of the key carry. */
  readonly revision: bigint;
}

/** Milliseconds that an answer waits for the read model to show a known change. */
const behindMsMax = 500;
const pollMs = 20;
/** A command that noted a hash and issued no key within this time counts as failed. */
const attemptMsMax = 600_000;
const retryAfterSeconds = 1;

/**
 * Returns the key of a secret from the read model, also a disabled or expired one. Returns undefined if the key is
 * unknown or deleted, or if the secret is another one. Throws unavailable while the read model lacks the requested
 * revision, or the key of a command that has noted its hash. Throws stream_unreadable for a key
 * that is set aside: an event that cannot be read may have disabled it.
 */
export async function resolveApiKey(
  { readModel, peppers, isComplete }: ResolveApiKeyDependencies,
  { hash, secret, atLeastRevision = -1n }: PresentedKey,
): Promise<ResolvedApiKey | undefined> {
  if (inspectPresentedKey(secret)?.hash !== hash) return undefined;
  const deadlineMs = performance.now() + behindMsMax;
  for (;;) {
    const found = await findKeyState(readModel, hash);
    if (isCurrent(found, atLeastRevision, isComplete)) {
      const resolved = opened(found, peppers, secret);
      // A caller without the secret must not see that the stream has a broken event.
      if (resolved) await requireReadable(readModel, [`${apiKeyEvents.streamPrefix}${hash}`]);
      return resolved;
    }
    if (performance.now() >= deadlineMs) throw new Fault('unavailable', { retryAfterSeconds });
    await delay(pollMs);
  }
}

/**
 * A deleted key keeps its row: one without a row was never issued, or the read model is behind, or it was issued in a
 * history of the log that is no longer in force.
 */
function isCurrent(
  { key, attemptAgeMs = Infinity, histories }: FoundKeyState,
  atLeastRevision: bigint,
  isComplete: () => boolean,
): boolean {
  if (key) return historyOf(histories).published(key.revision) >= atLeastRevision;
  const isKnown = historyOfRevision(atLeastRevision) >= histories;
  return !isKnown && attemptAgeMs > attemptMsMax && isComplete();
}

function opened(
  { key, histories }: FoundKeyState,
  peppers: Peppers,
  secret: string,
): ResolvedApiKey | undefined {
  if (!key) return undefined;
  // Our own projection wrote it.
  const state = key.state as ApiKey;
  if (state.status !== 'issued') return undefined;
  const revision = historyOf(histories).published(key.revision);
  return isKeyOf(peppers, state.digest, secret) ? { key: state, revision } : undefined;
}
