import { countOf, type UsageFact, type UsageRepeat } from '@sluice/usage-facts';
import type { Spool } from '@sluice/spool';
import type { Outbox } from '../outbox/outbox.ts';
import { type Charge, chargeOf } from './charge.ts';
import type { Outcome } from './outcome.ts';
import {
  admittedOf,
  admittedOfRepeat,
  AdmissionTally,
  type AdmissionTotals,
} from './admission-tally.ts';
import { PendingRepeats, type RepeatGroup } from './pending-repeats.ts';
import { encodeEntry, factBytes } from './record.ts';
import type { Intent, Progress, SpoolEntry } from './record.ts';
import type { Replica } from './replica.ts';
import { usageFact } from './usage-fact.ts';

export interface Settled {
  readonly charge: Charge;
  /** Resolves when the fact is on disk. Only then may the client get the end of the answer. */
  readonly durable: Promise<void>;
}

export interface Opening {
  /** Resolves when the intent is in the spool: it survives kill -9. */
  readonly written: Promise<void>;
  /** Resolves when the intent is on disk: it survives a power cut. */
  readonly durable: Promise<void>;
}

/** The state of the spool at one moment. */
export interface JournalReport {
  /** All records up to here are in the totals. */
  readonly spoolSequence: bigint;
  /** Facts of this epoch up to here are written down. */
  readonly settledSequence: bigint;
  readonly totals: AdmissionTotals[];
  readonly open: readonly OpenIntent[];
}

interface OpenIntent {
  readonly intent: Intent;
  readonly spoolSequence: bigint;
}

/** Writes the records of each attempt to the spool, and tracks which records are still needed. */
export class UsageJournal {
  readonly #spool: Pick<Spool, 'append' | 'hurry' | 'release'>;
  readonly #replica: Replica;
  readonly #outbox: Outbox;
  /** The open intents by usage id, oldest first. */
  readonly #open = new Map<string, OpenIntent>();
  readonly tally = new AdmissionTally();
  readonly #repeats = new PendingRepeats((group) => this.#settleRepeated(group));
  #sequence = 0n;
  /** The newest place that this journal has processed. */
  #noted = 0n;
  #released = 0n;
  #settled = 0n;
  /** All records up to here are reported to the ledger; undefined: reports are off. */
  #reported: bigint | undefined;

  constructor(options: {
    readonly spool: Pick<Spool, 'append' | 'hurry' | 'release'>;
    readonly replica: Replica;
    readonly outbox: Outbox;
  }) {
    this.#spool = options.spool;
    this.#replica = options.replica;
    this.#outbox = options.outbox;
  }

  /** Writes an intent. One that can wait shares a sync with other records, soon or when it is hurried. */
  open(intent: Intent, { canWait }: { readonly canWait: boolean }): Opening {
    const written = Promise.withResolvers<void>();
    const record = encodeEntry({ type: 'intent', intent });
    const durable = this.#spool
      .append(record, { canWait, onWritten: written.resolve })
      .then((spoolSequence) => {
        this.reopen(intent, spoolSequence);
        this.tally.add('admitted', admittedOf(intent));
      });
    // The caller that awaits one of them gets the failure.
    durable.catch(written.reject);
    written.promise.catch(ignore);
    return { written: written.promise, durable };
  }

  /** Begins the sync of an intent that waits for one. */
  hurry({ usageId }: Intent): void {
    if (!this.#open.has(usageId)) this.#spool.hurry();
  }

  /** Resumes an intent of an earlier run. */
  reopen(intent: Intent, spoolSequence: bigint): void {
    this.#open.set(intent.usageId, { intent, spoolSequence });
    this.began(spoolSequence);
  }

  /** Resumes a final fact of an earlier run. */
  restore(fact: UsageFact, spoolSequence: bigint): void {
    this.began(spoolSequence);
    const { usageId, accountId, epoch, leaseEpoch, completedAt } = fact;
    const count = countOf(fact);
    this.#outbox.add({
      usageId,
      accountId,
      epoch,
      sequence: fact.sequence + BigInt(count - 1),
      count,
      leaseEpoch,
      completedAtMs: Date.parse(completedAt),
      json: factBytes(encodeEntry({ type: 'final', fact })),
      spoolSequence,
      bundle: undefined,
    });
  }

  /** The spool has records up to here. */
  began(spoolSequence: bigint): void {
    if (spoolSequence > this.#noted) this.#noted = spoolSequence;
  }

  /** Not awaited, because a lost mark only makes an estimate less exact. */
  progress(usageId: string, progress: Progress): void {
    this.#append({ type: 'progress', usageId, progress }).then(
      (spoolSequence) => void (this.#noted = spoolSequence),
      ignore,
    );
  }

  /** Records that nothing was served. Not awaited, because an intent without an end is free, too. */
  release(intent: Intent): void {
    const { usageId } = intent;
    const of = admittedOf(intent);
    this.#append({ type: 'released', usageId, of }).then((spoolSequence) => {
      this.#noted = spoolSequence;
      this.#open.delete(usageId);
      this.tally.add('released', of);
    }, ignore);
  }

  /** Assigns the next place to a fact. Places are dense and in the order of the spool. */
  settle(intent: Intent, ended: Outcome): Settled {
    return this.#settle(intent, ended, { canWait: false });
  }

  #settle(
    intent: Intent,
    ended: Outcome,
    { canWait, repeats = none }: { canWait: boolean; repeats?: readonly UsageRepeat[] },
  ): Settled {
    const sequence = this.#sequence + 1n;
    const { id: replica, epoch } = this.#replica;
    const charge = chargeOf(intent, ended);
    const place = { replica, epoch, sequence };
    const fact = usageFact(intent, ended, { charge, place, repeats });
    const record = encodeEntry({ type: 'final', fact });
    const count = countOf(fact);
    const last = this.#sequence + BigInt(count);
    this.#sequence = last;
    const durable = this.#spool.append(record, { canWait }).then((spoolSequence) => {
      this.#noted = spoolSequence;
      this.#open.delete(intent.usageId);
      this.#settled = last;
      this.tally.add('settled', admittedOf(intent));
      this.#outbox.add({
        usageId: intent.usageId,
        accountId: intent.accountId,
        epoch,
        sequence: last,
        count,
        leaseEpoch: intent.leaseEpoch,
        completedAtMs: ended.completedAt.getTime(),
        json: factBytes(record),
        spoolSequence,
        bundle: undefined,
      });
    });
    return { charge, durable };
  }

  /**
   * Settles a free call of a tool. It has no intent, and nothing waits for the disk: nothing that a crash takes from it
   * is owed.
   */
  settleAtOnce(intent: Intent, ended: Outcome): Settled {
    const { charge, durable } = this.#settle(intent, ended, { canWait: true });
    return {
      charge,
      durable: durable.then(() => this.tally.add('admitted', admittedOf(intent))),
    };
  }

  /** Settles a repeated answer soon, together with others: it has no intent, and nothing waits for it. */
  settleSoon(intent: Intent, ended: Outcome): void {
    this.#repeats.add(intent, ended);
  }

  /** Writes down what waits for others like it. */
  flush(): void {
    this.#repeats.flush();
  }

  #settleRepeated({ intent, ended, repeats }: RepeatGroup): void {
    const { durable } = this.#settle(intent, ended, { canWait: false, repeats });
    durable.then(() => {
      this.tally.add('admitted', admittedOf(intent));
      for (const repeat of repeats) {
        const admitted = admittedOfRepeat(intent.accountId, repeat);
        this.tally.add('admitted', admitted);
        this.tally.add('settled', admitted);
      }
    }, ignore);
  }

  /** Returns what is new since the last report. */
  report(): JournalReport {
    return {
      spoolSequence: this.#noted,
      settledSequence: this.#settled,
      totals: this.tally.take(),
      open: [...this.#open.values()],
    };
  }

  /** Records that are not reported to the ledger are kept. */
  reported(spoolSequence: bigint): void {
    this.#reported = spoolSequence;
  }

  /** The sequence of the newest record that is on disk. */
  get spoolSequence(): bigint {
    return this.#noted;
  }

  get openCount(): number {
    return this.#open.size;
  }

  /** Releases the records that are not needed: all before the oldest that is open or not counted. */
  async releaseSpool(): Promise<void> {
    const [oldestOpen] = this.#open.values();
    const unreported = this.#reported === undefined ? undefined : this.#reported + 1n;
    const oldest = [oldestOpen?.spoolSequence, this.#outbox.oldestSpoolSequence, unreported];
    const needed = oldest.filter((sequence) => sequence !== undefined);
    const upTo = needed.reduce(
      (lowest, sequence) => (sequence - 1n < lowest ? sequence - 1n : lowest),
      this.#noted,
    );
    if (upTo <= this.#released) return;
    this.#released = upTo;
    await this.#spool.release(upTo);
  }

  /** Writes what nothing waits for. */
  #append(entry: SpoolEntry): Promise<bigint> {
    return this.#spool.append(encodeEntry(entry), { canWait: true });
  }
}

const none: readonly never[] = [];

/** A spool that cannot be written says so to its owner and ends the process. */
function ignore(): void {}
