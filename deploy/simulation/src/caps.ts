import type { Random } from '@sluice/testing/random';
import type { Principal } from '@sluice/inference-port';

/** A limit as it is known outside of the ledger, which may know a newer or an older one. */
export interface SimulatedLimit {
  readonly accountId: string;
  readonly scopeKind: 'key' | 'workspace' | 'guardrail';
  readonly scopeId: string;
  readonly windowKind: 'lifetime' | 'daily' | 'weekly' | 'monthly';
  /** True if spend on the account's own credentials counts too, not only its fee. */
  readonly includeByok: boolean;
  limitNanoUsd: bigint;
  revision: bigint;
}

/** Whose spend a limit counts. Without a limit: the credits of the account. */
export interface SimulatedCap {
  readonly scopeKind: 'account' | 'allowance' | SimulatedLimit['scopeKind'];
  /** The scope id. For a guardrail it includes the assignee. */
  readonly scopeId: string;
  readonly windowKind: SimulatedLimit['windowKind'];
  readonly keyHashes: readonly string[];
  readonly limit: SimulatedLimit | undefined;
}

export interface SimulatedKey {
  readonly accountId: string;
  readonly workspaceId: string;
  readonly userId: string;
  readonly keyHash: string;
}

export const accountIds = ['acct-1', 'acct-2'] as const;

/** The accounts that have a provider credential of their own. */
export const ownAccountIds: readonly string[] = ['acct-1'];

/** Two accounts with keys, and caps of all kinds on them. */
export interface Customers {
  readonly keys: readonly [SimulatedKey, ...SimulatedKey[]];
  readonly caps: readonly SimulatedCap[];
  readonly limits: readonly SimulatedLimit[];
  /** The free spend on own credentials, per account and month. */
  readonly allowanceNanoUsd: bigint;
}

/** Limits that a run comes up against. */
export function customers(random: Random): Customers {
  const flagged = new Set(['k1', 'ws-of-acct-1']);
  const nanoUsd = (times: number) => BigInt(random.between(500, 8_000) * times) * 1_000n;
  const limitOf = (
    accountId: string,
    scopeKind: SimulatedLimit['scopeKind'],
    scopeId: string,
    windowKind: SimulatedLimit['windowKind'],
    times = 1,
  ): SimulatedLimit => {
    const limitNanoUsd = nanoUsd(times);
    const scope = { accountId, scopeKind, scopeId, windowKind };
    return { ...scope, limitNanoUsd, includeByok: flagged.has(scopeId), revision: 1n };
  };
  const capOf = (limit: SimulatedLimit, keyHashes: readonly string[], assignee = '') => {
    const { scopeKind, scopeId, windowKind } = limit;
    return { scopeKind, scopeId: `${scopeId}${assignee}`, windowKind, keyHashes, limit };
  };
  const key = (keyHash: string, accountId: string, userId: string): SimulatedKey => ({
    keyHash,
    accountId,
    userId,
    workspaceId: `ws-of-${accountId}`,
  });
  const [first, second] = accountIds;
  const workspace = limitOf(first, 'workspace', `ws-of-${first}`, 'daily', 3);
  const guardrail = limitOf(second, 'guardrail', 'rail', 'weekly');
  const keys = [
    key('k1', first, 'user-1'),
    key('k2', first, 'user-1'),
    key('k3', first, 'user-2'),
    key('k4', second, 'user-3'),
    key('k5', second, 'user-3'),
  ] as const;
  const caps: SimulatedCap[] = [
    capOf(limitOf(first, 'key', 'k1', 'lifetime'), ['k1']),
    capOf(limitOf(first, 'key', 'k2', 'daily'), ['k2']),
    capOf(limitOf(first, 'key', 'k3', 'weekly'), ['k3']),
    capOf(limitOf(second, 'key', 'k4', 'monthly'), ['k4']),
    capOf(workspace, ['k1', 'k2', 'k3']),
    // One limit, and a budget of its own for each whom it is assigned to.
    capOf(guardrail, ['k5'], ':key:k5'),
    capOf(guardrail, ['k4', 'k5'], ':member:user-3'),
  ];
  for (const accountId of accountIds) {
    const keyHashes = keys.filter((one) => one.accountId === accountId).map((one) => one.keyHash);
    const credits = { scopeKind: 'account', scopeId: accountId, windowKind: 'lifetime' } as const;
    const allowance = {
      scopeKind: 'allowance',
      scopeId: accountId,
      windowKind: 'monthly',
    } as const;
    caps.push({ ...credits, keyHashes, limit: undefined });
    caps.push({ ...allowance, keyHashes, limit: undefined });
  }
  const limits = [...new Set(caps.flatMap(({ limit }) => (limit ? [limit] : [])))];
  const allowanceNanoUsd = BigInt(random.between(0, 4_000)) * 1_000n;
  return { keys, caps, limits, allowanceNanoUsd };
}

/** The key as the gateway knows it now. */
export function principalOf(key: SimulatedKey, caps: readonly SimulatedCap[]): Principal {
  const { accountId, workspaceId, keyHash, userId: creatorUserId } = key;
  const cap = caps.find((one) => one.scopeKind === 'key' && one.scopeId === keyHash);
  const { limitNanoUsd = null, windowKind = 'lifetime' } = cap?.limit ?? {};
  const limitReset = windowKind === 'lifetime' ? null : windowKind;
  const includeByokInLimit = cap?.limit?.includeByok ?? false;
  const limits = { limitNanoUsd, limitReset, includeByokInLimit };
  return { accountId, workspaceId, keyHash, creatorUserId, ...limits };
}
