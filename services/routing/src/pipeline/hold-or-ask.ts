import { setTimeout as delay } from 'node:timers/promises';
import { Fault } from '@sluice/errors';
import { type Amounts, type Budget, type Hold, Shortage } from '@sluice/spend';
import type { Pipeline } from './deps.ts';

/** While the ledger has more, a request asks again for so long; money is not what it then lacks. */
const askedMsMax = 1_000;
const retryAfterSeconds = 1;
/** A limit that was just raised reaches the ledger within this time; until then it is asked again. */
const raisedMsMax = 1_000;
const raisedPollMs = 20;

export type Spender = Pick<Pipeline, 'spending' | 'clock' | 'metrics'>;

/**
 * Holds an amount of all budgets, of leases that are here or, when they lack it, of what the ledger grants.
 * A shortage is the ledger's own word. Throws unavailable when that does not come within a second: a
 * slow ledger is no reason to say that money is missing.
 */
export async function holdOrAsk(
  spender: Spender,
  budgets: readonly Budget[],
  amounts: Amounts,
): Promise<Hold | Shortage> {
  const { spending, clock, metrics } = spender;
  const hold = spending.hold(budgets, amounts, clock.now());
  if (!(hold instanceof Shortage)) return hold;
  const startedMs = performance.now();
  const waited = (outcome: string) =>
    metrics.spendWait.record((performance.now() - startedMs) / 1_000, { outcome });
  try {
    const answer = await askedFor(spender, budgets, amounts);
    waited(answer instanceof Shortage ? 'refused' : 'held');
    return answer;
  } catch (error) {
    waited('unavailable');
    throw error;
  }
}

async function askedFor(
  { spending, clock }: Spender,
  budgets: readonly Budget[],
  amounts: Amounts,
): Promise<Hold | Shortage> {
  const startedMs = performance.now();
  const ask = () =>
    within(askedMsMax, spending.ask(budgets, amounts, clock.now()), () => {
      throw new Fault('unavailable', { retryAfterSeconds });
    });
  for (;;) {
    const isWorthMore = await ask();
    const hold = spending.hold(budgets, amounts, clock.now());
    if (!(hold instanceof Shortage)) return hold;
    const askedMs = performance.now() - startedMs;
    if (isWorthMore && askedMs > askedMsMax) throw new Fault('unavailable', { retryAfterSeconds });
    if (isWorthMore) continue;
    if (!hold.lease.isBehind || askedMs > raisedMsMax) return hold;
    await delay(raisedPollMs);
  }
}

/** Resolves when a hold has ended, or after the time. */
export async function freedWithin(timeMs: number, freed: Promise<void>): Promise<void> {
  const timer = new AbortController();
  const late = delay(timeMs, undefined, { signal: timer.signal }).catch(() => {});
  await Promise.race([freed, late]);
  timer.abort();
}

async function within<Answer>(
  timeMs: number,
  answer: Promise<Answer>,
  onLate: () => never,
): Promise<Answer> {
  const timer = new AbortController();
  const late = delay(timeMs, undefined, { signal: timer.signal }).then(onLate);
  late.catch(() => {});
  try {
    return await Promise.race([answer, late]);
  } finally {
    timer.abort();
  }
}
