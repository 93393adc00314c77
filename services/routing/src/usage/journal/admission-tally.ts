import { type UsageFact, type UsageRepeat, withRepeats } from '@sluice/usage-facts';
import type { Spool } from '@sluice/spool';
import { type Admitted, decodeEntry, type Intent } from './record.ts';

/** The attempts of one account and one UTC day of admission in a range of the spool. */
export interface AdmissionTotals extends Admitted {
  readonly admitted: bigint;
  readonly settled: bigint;
  readonly released: bigint;
}

type Event = 'admitted' | 'settled' | 'released';

const dayLength = '2026-11-18'.length;
const dayMs = 24 * 60 * 60 * 1_000;

/** Caches the day of the last call, because consecutive calls mostly have the same day. */
const lastDay = { number: Number.NaN, text: '' };

export function admittedOf(intent: Pick<Intent, 'accountId' | 'admittedAt'>): Admitted {
  const { accountId, admittedAt } = intent;
  const number = Math.floor(admittedAt.getTime() / dayMs);
  if (number !== lastDay.number) {
    lastDay.number = number;
    lastDay.text = admittedAt.toISOString().slice(0, dayLength);
  }
  return { accountId, day: lastDay.text };
}

export function admittedOfFact(fact: Pick<UsageFact, 'accountId' | 'admittedAt'>): Admitted {
  const { accountId, admittedAt } = fact;
  return { accountId, day: admittedAt.slice(0, dayLength) };
}

export function admittedOfRepeat(accountId: string, { startedAt }: UsageRepeat): Admitted {
  return admittedOfFact({ accountId, admittedAt: startedAt });
}

/** Mutable totals. */
type Counting = { -readonly [Name in keyof AdmissionTotals]: AdmissionTotals[Name] };

/** Counts the records of the spool between two reports. */
export class AdmissionTally {
  /** The counts by day, then by account. */
  #days = new Map<string, Map<string, Counting>>();

  add(event: Event, admitted: Admitted): void {
    this.#of(admitted)[event] += 1n;
  }

  /** Returns the totals since the last call. */
  take(): AdmissionTotals[] {
    const taken = [...this.#days.values()].flatMap((ofDay) => [...ofDay.values()]);
    this.#days = new Map();
    return taken;
  }

  /** Puts back the totals of a report that failed. */
  putBack(totals: readonly AdmissionTotals[]): void {
    for (const { accountId, day, admitted, settled, released } of totals) {
      const now = this.#of({ accountId, day });
      now.admitted += admitted;
      now.settled += settled;
      now.released += released;
    }
  }

  #of({ accountId, day }: Admitted): Counting {
    let ofDay = this.#days.get(day);
    if (!ofDay) this.#days.set(day, (ofDay = new Map()));
    let totals = ofDay.get(accountId);
    if (!totals) {
      totals = { accountId, day, admitted: 0n, settled: 0n, released: 0n };
      ofDay.set(accountId, totals);
    }
    return totals;
  }

  /** Adds a range of the spool: after the first place, up to the second one. */
  async addSpool(
    spool: Pick<Spool, 'read'>,
    { after, upTo }: { readonly after: bigint; readonly upTo: bigint },
  ): Promise<void> {
    for await (const { sequence, payload } of spool.read(after + 1n)) {
      if (sequence > upTo) return;
      const entry = decodeEntry(payload);
      if (entry.type === 'intent') this.add('admitted', admittedOf(entry.intent));
      else if (entry.type === 'final') {
        for (const fact of withRepeats(entry.fact)) {
          this.add('settled', admittedOfFact(fact));
          if (hasNoIntent(fact)) this.add('admitted', admittedOfFact(fact));
        }
      } else if (entry.type === 'released' && entry.of) this.add('released', entry.of);
    }
  }
}

/** Returns true for a free call of a tool and for a repeated answer: the fact is the only record of each. */
function hasNoIntent({ apiType, holdNanoUsd, responseCacheSourceId }: UsageFact): boolean {
  return responseCacheSourceId !== '' || (apiType === 'tool' && holdNanoUsd === 0n);
}
