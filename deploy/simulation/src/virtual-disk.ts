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

/** The data directory of one replica: its identity, and a spool by the rules of `libs/spool`. */
export class VirtualDisk {
  readonly #time: VirtualTime;
  readonly #random: Random;
  readonly #mutation: DiskMutation;
  #records: Kept[] = [];
  #queue: Appending[] = [];
  #isWriting = false;
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
      append: (payload, { onWritten } = {}) =>
        new Promise((resolve) => {
          if (life.isOver) return;
          this.#queue.push({ payload, onWritten, resolve });
          if (this.#mutation.writesLate) onWritten?.();
          if (!this.#isWriting) this.#write();
        }),
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
    this.#isWriting = false;
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

  #write(): void {
    this.#isWriting = true;
    this.#time.after(this.#random.next() * writeMsMax, () => {
      const batch = this.#queue.splice(0).map(({ payload, onWritten, resolve }) => {
        this.#last += 1n;
        const record: Kept = { sequence: this.#last, payload, isSynced: false };
        this.#records.push(record);
        onWritten?.();
        return { record, resolve };
      });
      if (this.#mutation.lies) for (const { record, resolve } of batch) resolve(record.sequence);
      const { syncMsMax = syncMsMaxUsual } = this.#mutation;
      const syncMs = this.#random.next() * syncMsMax;
      this.#time.after(this.#mutation.lies ? 20 * syncMs : syncMs, () => {
        for (const { record, resolve } of batch) {
          record.isSynced = true;
          resolve(record.sequence);
        }
        this.#isWriting = false;
        if (this.#queue.length > 0) this.#write();
      });
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
