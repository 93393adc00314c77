import type { Random } from '@sluice/testing/random';
import type { RoutingDeps } from '@sluice/routing/service';
import type { Life, VirtualTime } from './virtual-time.ts';

type SpoolPort = RoutingDeps['spool'];

interface Kept {
  readonly sequence: bigint;
  readonly payload: Uint8Array;
  /** On the disk; else in the memory of the machine, which survives kill -9 and no power cut. */
  isSynced: boolean;
}

interface Appending {
  readonly payload: Uint8Array;
  readonly onWritten: (() => void) | undefined;
  readonly resolve: (sequence: bigint) => void;
}

interface Unsynced {
  readonly record: Kept;
  readonly resolve: (sequence: bigint) => void;
}

/** The mistakes of a mutant, and the speed. */
export interface DiskMutation {
  /** The longest sync, in milliseconds. */
  readonly syncMsMax?: number;
  /** Acknowledges before the sync. */
  readonly lies?: boolean;
  /** Takes a record for written that is in the memory of the process only. */
  readonly writesLate?: boolean;
  /** Lets go of everything whenever something may go. */
  readonly releasesAll?: boolean;
}

/** Only whole segments are deleted. */
const segmentRecords = 4n;
const writeMsMax = 1;
const syncMsMaxUsual = 6;
/** Nothing waits longer for its sync to begin. */
const waitMsMax = 10;

/** The data directory of one replica: its identity, and a spool by the rules of `libs/spool`. */
export class VirtualDisk {
  readonly #time: VirtualTime;
  readonly #random: Random;
  readonly #mutation: DiskMutation;
  #records: Kept[] = [];
  #queue: Appending[] = [];
  /** In the memory of the machine, behind the sync in flight. */
  #unsynced: Unsynced[] = [];
  #isWriting = false;
  #isSyncing = false;
  #isUrgent = false;
  /** One more at each kill: what a killed process began goes on without it. */
  #life = 0;
  #last = 0n;
  #epoch = 0n;

  constructor(time: VirtualTime, random: Random, mutation: DiskMutation) {
    this.#time = time;
    this.#random = random;
    this.#mutation = mutation;
  }

  /** On the disk when this returns. */
  nextEpoch(): bigint {
    return (this.#epoch += 1n);
  }

  /** Opens the spool for one life; opening syncs what is there. */
  open(life: Life): SpoolPort {
    for (const record of this.#records) record.isSynced = true;
    return {
      append: (payload, { onWritten, canWait } = {}) =>
        new Promise((resolve) => {
          if (life.isOver) return;
          this.#queue.push({ payload, onWritten, resolve });
          if (this.#mutation.writesLate) onWritten?.();
          if (canWait !== true) this.#isUrgent = true;
          this.#goOn();
        }),
      hurry: () => {
        if (life.isOver) return;
        this.#isUrgent = true;
        this.#goOn();
      },
      read: (from) => this.#read(from),
      release: async (upTo) => {
        if (!life.isOver) this.#release(upTo);
      },
      bytes: () => 0,
      diskUsed: async () => 0.1,
    };
  }

  /** Kills the process. Written bytes stay. */
  kill(): void {
    this.#queue = [];
    this.#unsynced = [];
    this.#isWriting = false;
    this.#isSyncing = false;
    this.#isUrgent = false;
    this.#life += 1;
  }

  /** Cuts the power. Bytes that were not synced are gone, from some record on. */
  cutPower(): void {
    this.kill();
    const synced = this.#records.filter(({ isSynced }) => isSynced).length;
    const kept = synced + this.#random.below(this.#records.length - synced + 1);
    this.#records = this.#records.slice(0, kept);
    this.#last = this.#records.at(-1)?.sequence ?? this.#last;
  }

  get size(): number {
    return this.#records.length;
  }

  /** Writes what is there, or syncs what is written once something waits for it. */
  #goOn(): void {
    if (this.#isWriting || this.#isSyncing) return;
    if (this.#queue.length > 0) this.#write();
    else if (this.#unsynced.length > 0 && this.#isUrgent) this.#sync();
  }

  #write(): void {
    this.#isWriting = true;
    this.#after(this.#random.next() * writeMsMax, () => {
      this.#isWriting = false;
      const batch = this.#queue.splice(0).map(({ payload, onWritten, resolve }) => {
        this.#last += 1n;
        const record: Kept = { sequence: this.#last, payload, isSynced: false };
        this.#records.push(record);
        onWritten?.();
        if (this.#mutation.lies) resolve(record.sequence);
        return { record, resolve };
      });
      this.#unsynced.push(...batch);
      this.#after(waitMsMax, () => {
        this.#isUrgent ||= this.#unsynced.some(({ record }) => batch[0]?.record === record);
        this.#goOn();
      });
      this.#goOn();
    });
  }

  #sync(): void {
    this.#isSyncing = true;
    this.#isUrgent = false;
    const batch = this.#unsynced.splice(0);
    const { syncMsMax = syncMsMaxUsual, lies } = this.#mutation;
    const syncMs = this.#random.next() * syncMsMax;
    this.#after(lies ? 20 * syncMs : syncMs, () => {
      for (const { record, resolve } of batch) {
        record.isSynced = true;
        resolve(record.sequence);
      }
      this.#isSyncing = false;
      this.#goOn();
    });
  }

  #after(delayMs: number, run: () => void): void {
    const life = this.#life;
    this.#time.after(delayMs, () => {
      if (life === this.#life) run();
    });
  }

  async *#read(from: bigint) {
    for (const { sequence, payload } of this.#records)
      if (sequence >= from) yield { sequence, payload };
  }

  #release(upTo: bigint): void {
    const end = this.#mutation.releasesAll ? this.#last : (upTo / segmentRecords) * segmentRecords;
    this.#records = this.#records.filter(({ sequence }) => sequence > end);
  }
}
