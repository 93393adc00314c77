import type { WindowKind } from '../window/window.ts';

/** All that a key may spend, as of a revision of the key. */
export interface KeyLimit {
  readonly limitId: string;
  readonly accountId: string;
  readonly keyHash: string;
  readonly revision: bigint;
  /** Absent: no cap. Nano-USD. */
  readonly limitNanoUsd?: bigint | undefined;
  /** daily, weekly, monthly; empty: lifetime. */
  readonly limitReset: string;
  readonly includeByokInLimit: boolean;
}

/** Above it a limit is absurd: over 9 million USD. */
const amountMax = 9_007_199_254_740_992n;
const revisionMax = 2n ** 63n - 1n;
const idPattern = /^[\x21-\x7e]{1,256}$/;
const tokenPattern = /^[A-Za-z0-9_-]{1,128}$/;
const windowKinds: ReadonlyMap<string, WindowKind> = new Map([
  ['', 'lifetime'],
  ['daily', 'daily'],
  ['weekly', 'weekly'],
  ['monthly', 'monthly'],
]);

/** Why a limit must not be taken; undefined when it may. */
export function keyLimitProblem(limit: KeyLimit): string | undefined {
  const { limitId, accountId, keyHash, revision, limitNanoUsd = 0n, limitReset } = limit;
  if (!idPattern.test(limitId)) return 'limit_id is missing or malformed';
  if (!tokenPattern.test(accountId)) return 'account_id is missing or malformed';
  if (!tokenPattern.test(keyHash)) return 'key_hash is missing or malformed';
  if (revision < 0n || revision > revisionMax) return 'revision is no revision';
  if (!windowKinds.has(limitReset)) return 'limit_reset is not known';
  if (limitNanoUsd < 0n || limitNanoUsd > amountMax) return 'the limit is negative or absurd';
  return undefined;
}

/** The window that the limit counts over. */
export function windowKindOf({ limitReset }: KeyLimit): WindowKind {
  return windowKinds.get(limitReset) ?? 'lifetime';
}

/** The newest limit of each key, in the order of account and key. */
export function newestLimits(limits: readonly KeyLimit[]): readonly KeyLimit[] {
  const newest = new Map<string, KeyLimit>();
  for (const limit of limits) {
    const key = `${limit.accountId}\0${limit.keyHash}`;
    const known = newest.get(key);
    if (!known || limit.revision > known.revision) newest.set(key, limit);
  }
  return [...newest].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, limit]) => limit);
}
