import { Fault } from '@sluice/errors';
import { type Amounts, type Budget, type Hold, Shortage, type Spending } from '@sluice/spend';
import type { Clock } from '@sluice/clock-and-ids';
import type { Telemetry } from '@sluice/telemetry';

/**
 * The ledger has so long to answer a request that its leases cannot hold; money is not what it then lacks. Under load
 * an answer takes more than a second.
 */
const askedMsMax = 3_000;
const retryAfterSeconds = 1;
/** A failed question is not asked again before. */
const askAgainMs = 250;
/** A limit that was just raised reaches the ledger within this time; until then it is asked again. */
const raisedMsMax = 1_000;
const raisedPollMs = 20;

export interface Spender {
  readonly spending: Spending;
  readonly clock: Clock;
  readonly metrics: Telemetry['metrics'];
}

/**
 * Holds an amount of all budgets, of leases that are here or, when they lack it, of what the ledger grants.
 * A shortage is the ledger's own word. While that does not come, a running request that ends makes room for this one.
 * Throws unavailable after three seconds: a slow ledger is no reason to say that money is missing.
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
  const untilMs = startedMs + askedMsMax;
  let asking: Promise<Word> | undefined;
  for (;;) {
    const freed = spending.freed((budgets[0] as Budget).accountId);
    asking ??= wordOf(spending.ask(budgets, amounts, clock.now()));
    const word = await within<Word | void>(untilMs, [asking, freed]);
    if (word) asking = undefined;
    const hold = spending.hold(budgets, amounts, clock.now());
    if (!(hold instanceof Shortage)) return hold;
    const isLate = performance.now() >= untilMs;
    if (word?.said === 'nothing' || isLate) {
      if (isLate || !canBeFreed(hold)) throw away(word?.error);
      await within(Math.min(untilMs, performance.now() + askAgainMs), [freed]);
    } else if (word?.said === 'no more') {
      if (!hold.lease.isBehind || performance.now() - startedMs > raisedMsMax) return hold;
      await within(performance.now() + raisedPollMs, []);
    }
  }
}

/** The ledger's answer to a question; `nothing` if it did not answer. */
interface Word {
  readonly said: 'more' | 'no more' | 'nothing';
  readonly error?: unknown;
}

async function wordOf(asked: Promise<boolean>): Promise<Word> {
  try {
    return { said: (await asked) ? 'more' : 'no more' };
  } catch (error) {
    return { said: 'nothing', error };
  }
}

/** True: requests that run here hold as much of the lease as is missing. */
function canBeFreed({ lease, neededNanoUsd }: Shortage): boolean {
  return lease.held > 0n && neededNanoUsd <= lease.available + lease.held;
}

function away(cause: unknown): Fault {
  const message = 'The ledger does not answer in time, and more money is needed than it has leased';
  return new Fault('unavailable', { message, retryAfterSeconds, cause });
}

/** Resolves when a hold has ended, or after the time. */
export async function freedWithin(timeMs: number, freed: Promise<void>): Promise<void> {
  await within(performance.now() + timeMs, [freed]);
}

/** Resolves with what comes first; undefined when the time is over. */
async function within<Answer>(
  untilMs: number,
  answers: readonly Promise<Answer>[],
): Promise<Answer | undefined> {
  const leftMs = Math.max(0, untilMs - performance.now());
  const { promise: late, resolve } = Promise.withResolvers<undefined>();
  const timer = setTimeout(resolve, leftMs, undefined);
  try {
    return await Promise.race([...answers, late]);
  } finally {
    clearTimeout(timer);
  }
}
