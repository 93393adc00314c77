import type { AccountLeases } from './account-leases.ts';
import type { Authority } from './authority.ts';
import { askAuthority } from './lease-batcher.ts';
import type { Lease } from './lease.ts';

/** Leases without holds, by their budget, until the authority has confirmed their return. */
export type Closing = Map<string, Lease>;

/** With half a second between two rounds, no answer in use is older than five seconds. */
const renewAgeMs = 4_000;
/** The authority counts as away if a lease in use had no answer for this long. */
const awayAgeMs = 10_000;
/** A lease that was unused for this long is returned whole and dropped. */
const idleMs = 300_000;

/**
 * Gives back what is more than needed and renews what is in use. Throws when the authority cannot be
 * asked: the next round does the same again.
 */
export async function renew(
  authority: Authority,
  nowMs: () => number,
  accounts: Iterable<AccountLeases>,
): Promise<void> {
  const due: Lease[] = [];
  for (const account of accounts)
    for (const lease of account.all) if (isDue(lease, nowMs())) due.push(lease);
  const renewing = (lease: Lease) => lease.request(0n, nowMs(), 'renew');
  const unheard = due.filter((lease) => isUnheard(lease, nowMs()));
  await askAuthority(authority, pairs(due), nowMs, renewing);
  for (const lease of unheard) giveBack(lease, nowMs());
  // Report an amount that an answer made us return at once, not in the next round.
  const unsettled = due.filter((lease) => lease.isUnsettled);
  await askAuthority(authority, pairs(unsettled), nowMs, renewing);
}

interface Ending {
  readonly accounts: Map<string, AccountLeases>;
  readonly closing: Closing;
}

/** Returns leases that are unused for long and have no open holds. Throws as `renew` does. */
export async function close(
  authority: Authority,
  nowMs: () => number,
  { accounts, closing }: Ending,
): Promise<void> {
  for (const [accountId, account] of accounts) {
    for (const [key, lease] of forgettable(account, nowMs(), closing)) {
      account.forget(lease);
      closing.set(key, lease);
    }
    if (account.size === 0) accounts.delete(accountId);
  }
  const ended = [...closing];
  const leases = ended.map(([, lease]) => lease);
  await askAuthority(authority, pairs(leases), nowMs, (lease) => lease.closing(nowMs()));
  for (const [key] of ended) closing.delete(key);
}

/** Keeps unused amounts while the authority is away: it could not grant them to another replica. */
function giveBack(lease: Lease, now: number): void {
  if (isUnheard(lease, now)) return;
  lease.giveBack(lease.isIdle(now, idleMs) ? lease.available : lease.surplus(now));
}

function isUnheard(lease: Lease, now: number): boolean {
  return lease.answerAgeMs(now) > awayAgeMs;
}

function isDue(lease: Lease, now: number): boolean {
  giveBack(lease, now);
  if (lease.isUnsettled) return true;
  if (lease.ageMs(now) < renewAgeMs) return false;
  // An idle lease is renewed until the authority has counted all of it.
  return lease.isInUse || (lease.isIdle(now, idleMs) && !lease.isClear);
}

function* forgettable(
  account: AccountLeases,
  now: number,
  closing: Closing,
): Generator<[string, Lease]> {
  for (const lease of account.all) {
    if (!lease.isIdle(now, idleMs) || !lease.isClear || lease.isUnsettled) continue;
    const { accountId, scopeKind, scopeId, interval } = lease.budget;
    const key = [accountId, scopeKind, scopeId, interval, lease.window.start.getTime()].join('/');
    if (!closing.has(key)) yield [key, lease];
  }
}

function pairs(leases: readonly Lease[]): readonly (readonly [Lease, undefined])[] {
  return leases.map((lease) => [lease, undefined]);
}
