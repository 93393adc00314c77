import type { UsageRecorded } from '@sluice/protos/sluice/usage/v1/usage_events';
import type { Spool } from '@sluice/spool';
import { type Admitted, decodeEntry, type Intent } from './record.ts';

/** What a stretch of the spool says of the attempts of one account that were admitted on one UTC day. */
export interface AdmissionTotals extends Admitted {
  readonly admitted: bigint;
  readonly settled: bigint;
  readonly released: bigint;
}

type Event = 'admitted' | 'settled' | 'released';

const dayLength = '2026-11-18'.length;

export function admittedOf(intent: Pick<Intent, 'accountId' | 'admittedAt'>): Admitted {
  const { accountId, admittedAt } = intent;
  return { accountId, day: admittedAt.toISOString().slice(0, dayLength) };
}

export function admittedOfFact(fact: Pick<UsageRecorded, 'accountId' | 'admittedAt'>): Admitted {
  const { accountId, admittedAt } = fact;
  return { accountId, day: admittedAt.slice(0, dayLength) };
}

/** Totals that still grow. */
type Counting = { -readonly [Name in keyof AdmissionTotals]: AdmissionTotals[Name] };

/** Counts what the records of the spool say, from one report to the next. */
export class AdmissionTally {
  #totals = new Map<string, Counting>();

  add(event: Event, { accountId, day }: Admitted): void {
    const key = `${day}/${accountId}`;
    let totals = this.#totals.get(key);
    if (!totals) {
      totals = { accountId, day, admitted: 0n, settled: 0n, released: 0n };
      this.#totals.set(key, totals);
    }
    totals[event] += 1n;
  }

  /** All since the last call. */
  take(): AdmissionTotals[] {
    const taken = [...this.#totals.values()];
    this.#totals = new Map();
    return taken;
  }

  /** What a report that did not come to pass had. */
  putBack(totals: readonly AdmissionTotals[]): void {
    for (const { accountId, day, admitted, settled, released } of totals) {
      const key = `${day}/${accountId}`;
      const now = this.#totals.get(key);
      this.#totals.set(key, {
        accountId,
        day,
        admitted: admitted + (now?.admitted ?? 0n),
        settled: settled + (now?.settled ?? 0n),
        released: released + (now?.released ?? 0n),
      });
    }
  }

  /** What a stretch of the spool says: after the first place, up to the second one. */
  async addSpool(
    spool: Pick<Spool, 'read'>,
    { after, upTo }: { readonly after: bigint; readonly upTo: bigint },
  ): Promise<void> {
    for await (const { sequence, payload } of spool.read(after + 1n)) {
      if (sequence > upTo) return;
      const entry = decodeEntry(payload);
      if (entry.type === 'intent') this.add('admitted', admittedOf(entry.intent));
      else if (entry.type === 'final') this.add('settled', admittedOfFact(entry.fact));
      else if (entry.type === 'released' && entry.of) this.add('released', entry.of);
    }
  }
}
