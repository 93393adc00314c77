import type { Place } from './standing.ts';
import { dayOf, type SpendWindow } from './window.ts';

interface Pending extends Place {
  readonly amount: bigint;
  readonly day: number;
}

/**
 * What this replica knows of one scope (an account, a key) that the ledger does not: open holds, and
 * finals above the watermark. Amounts lie in day buckets, so a window is a sum of a few of them.
 */
export class Counter {
  readonly #byDay = new Map<number, bigint>();
  #pending: Pending[] = [];
  #open = 0;

  hold(amount: bigint, at: Date): void {
    this.#open += 1;
    this.#add(dayOf(at), amount);
  }

  release(amount: bigint, at: Date): void {
    this.#open -= 1;
    this.#add(dayOf(at), -amount);
  }

  addPending({ epoch, sequence }: Place, amount: bigint, at: Date): void {
    const day = dayOf(at);
    this.#pending.push({ epoch, sequence, amount, day });
    this.#add(day, amount);
  }

  /** Forgets the finals that the ledger's figures already hold. */
  dropCounted(watermarks: ReadonlyMap<bigint, bigint>): void {
    const left: Pending[] = [];
    for (const final of this.#pending) {
      if (final.sequence <= (watermarks.get(final.epoch) ?? 0n))
        this.#add(final.day, -final.amount);
      else left.push(final);
    }
    this.#pending = left;
  }

  /** Held and pending in a window. */
  sum({ firstDay, endDay }: SpendWindow): bigint {
    let sum = 0n;
    for (const [day, amount] of this.#byDay) if (day >= firstDay && day < endDay) sum += amount;
    return sum;
  }

  /** Nothing is open, and all finals lie at or below the watermarks. */
  isSettled(watermarks: ReadonlyMap<bigint, bigint>): boolean {
    if (this.#open > 0) return false;
    return this.#pending.every(({ epoch, sequence }) => sequence <= (watermarks.get(epoch) ?? 0n));
  }

  #add(day: number, amount: bigint): void {
    const sum = (this.#byDay.get(day) ?? 0n) + amount;
    if (sum === 0n) this.#byDay.delete(day);
    else this.#byDay.set(day, sum);
  }
}
