import assert from 'node:assert/strict';
import { nanoUsdToNumber, type Principal } from '@sluice/inference';
import { AccountScope, KeyScope } from './scope.ts';
import type { Hold, PendingFinal, Place, SpendRefusal, Standing } from './standing.ts';
import { startOfDay, windowOf } from './window.ts';

/** The gate of one replica: admits spending so that counted + pending + held ≤ limit, always. */
export interface SpendGate {
  /** When the ledger last told of this account and key; undefined: never, so nothing can be held. */
  knownSince(principal: Pick<Principal, 'accountId' | 'keyHash'>): Date | undefined;
  /** All or nothing over account and key. The standing must be known. */
  hold(principal: Principal, amountNanoUsd: bigint, at: Date): Hold | SpendRefusal;
  /** The most that a hold could take now; never negative; undefined: the caps leave it open. */
  affordableNanoUsd(principal: Principal, at: Date): bigint;
  /** The hold becomes a final of this cost, which counts as pending until the ledger has it. */
  settle(hold: Hold, costNanoUsd: bigint, place: Place): void;
  /** Nothing was spent. */
  release(hold: Hold): void;
  /** Counts a final of an earlier run, until a standing's watermark passes it. */
  restore(final: PendingFinal): void;
  /** Takes a snapshot of the ledger; one that is older than what is known changes nothing. */
  applyStanding(standing: Standing): void;
  /**
   * Forgets accounts and keys that have nothing open, were not heard of since, and whose finals the
   * ledger has counted by now. The next hold needs a new standing.
   */
  forgetIdle(before: Date, watermarks: ReadonlyMap<bigint, bigint>): void;
}

export function createSpendGate(): SpendGate {
  const accounts = new Map<string, AccountScope>();
  const keys = new Map<string, KeyScope>();
  const open = new Set<Hold>();

  const scopesOf = ({ accountId, keyHash }: Pick<Principal, 'accountId' | 'keyHash'>) => {
    let account = accounts.get(accountId);
    if (!account) accounts.set(accountId, (account = new AccountScope()));
    let key = keys.get(keyHash);
    if (!key) keys.set(keyHash, (key = new KeyScope()));
    return { account, key };
  };

  const close = (hold: Hold) => {
    assert(open.delete(hold), 'a hold is settled or released once');
    const { account, key } = scopesOf(hold.principal);
    account.counter.release(hold.amountNanoUsd, hold.at);
    key.counter.release(hold.amountNanoUsd, hold.at);
    return { account, key };
  };

  return {
    knownSince({ accountId, keyHash }) {
      const account = accounts.get(accountId)?.knownSince;
      const key = keys.get(keyHash)?.knownSince;
      if (account === undefined || key === undefined) return undefined;
      return account < key ? account : key;
    },
    hold(principal, amountNanoUsd, at) {
      assert(amountNanoUsd >= 0n, 'a hold is not negative');
      const { account, key } = scopesOf(principal);
      const heldAt = key.notBefore(at);
      if (amountNanoUsd > account.left()) return creditsExhausted;
      const keyLeft = key.left(principal, heldAt);
      if (keyLeft !== undefined && amountNanoUsd > keyLeft)
        return keyLimitExceeded(principal, heldAt);
      const hold: Hold = { principal, amountNanoUsd, at: heldAt };
      account.counter.hold(amountNanoUsd, heldAt);
      key.counter.hold(amountNanoUsd, heldAt);
      open.add(hold);
      return hold;
    },
    affordableNanoUsd(principal, at) {
      const { account, key } = scopesOf(principal);
      const accountLeft = account.left();
      const keyLeft = key.left(principal, key.notBefore(at)) ?? accountLeft;
      const left = keyLeft < accountLeft ? keyLeft : accountLeft;
      return left > 0n ? left : 0n;
    },
    settle(hold, costNanoUsd, place) {
      assert(costNanoUsd >= 0n, 'a cost is not negative');
      const { account, key } = close(hold);
      account.counter.addPending(place, costNanoUsd, hold.at);
      key.counter.addPending(place, costNanoUsd, hold.at);
    },
    release: (hold) => void close(hold),
    restore(final) {
      const { account, key } = scopesOf(final);
      account.counter.addPending(final, final.costNanoUsd, final.at);
      key.counter.addPending(final, final.costNanoUsd, final.at);
    },
    applyStanding(standing) {
      const { account, key } = scopesOf(standing);
      account.apply(standing);
      key.apply(standing);
    },
    forgetIdle(before, watermarks) {
      for (const scopes of [accounts, keys])
        for (const [id, scope] of scopes) if (scope.isIdle(before, watermarks)) scopes.delete(id);
    },
  };
}

const creditsExhausted: SpendRefusal = {
  rejected: 'credits_exhausted',
  message: 'Insufficient credits',
  metadata: { reason: 'credits_exhausted' },
};

function keyLimitExceeded(principal: Principal, at: Date): SpendRefusal {
  const { limitNanoUsd, limitReset } = principal;
  const { endDay } = windowOf(limitReset, at);
  return {
    rejected: 'key_limit_exceeded',
    message: 'Key limit exceeded',
    metadata: {
      reason: 'key_limit_exceeded',
      scope: 'key',
      limit_usd: nanoUsdToNumber(limitNanoUsd ?? 0n),
      interval: limitReset,
      ...(limitReset === null ? {} : { resets_at: startOfDay(endDay).toISOString() }),
    },
  };
}
