import { setTimeout as delay } from 'node:timers/promises';
import type { Append, AppendOutcome } from '../store/append-outcome.ts';
import type { NodeContext } from './context.ts';
import { within } from './within.ts';

/**
 * Appends, and answers 'timeout' when that is not durable in time. An append of events that another one is just writing
 * has no answer until the time is over, even when they are durable long before: so a real node does.
 */
export async function appendWithin(
  { store, stopping }: NodeContext,
  append: Append,
  timeoutMs: number,
): Promise<AppendOutcome | 'timeout'> {
  const outcome = await within(store.append(append), timeoutMs);
  if (outcome === 'timeout' || outcome.kind !== 'on_its_way') return outcome;
  // A node that stops ends all waits.
  await delay(timeoutMs, undefined, { signal: stopping }).catch(() => {});
  return 'timeout';
}
