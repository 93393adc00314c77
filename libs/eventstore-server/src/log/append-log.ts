import { open, rm, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { elementAt } from '../element-at.ts';
import { DurableMark } from './durable-mark.ts';
import { encodeMark, sealFrame } from './frame.ts';
import type { Recovery } from './lost-events.ts';
import { recover, type VisitFrame } from './recovery.ts';
import { createSegment, segmentHeaderBytes, segmentName, writeAll } from './segment.ts';

/** The calls to the owner of the log. All come in log order, and never during a call to the log. */
export interface LogListener {
  /** Everything up to and with the frame of this ticket is on disk. */
  durable(ticket: number): void;
  /** A write failed, the disk is full say: all frames that were not durable are undone. */
  undone(error: Error): void;
  /** The content of the disk is not known any more. The process must end. */
  fatal(error: Error): void;
}

export interface AppendLogOptions {
  readonly directory: string;
  /** A segment takes no new frame once it is this long. */
  readonly segmentBytesMax: number;
  readonly visit: VisitFrame;
  /** Called with each segment, ascending, before it is read. */
  readonly onSegment: (base: number) => void;
  readonly listener: LogListener;
  /** Go on where acknowledged appends are missing at the end of the log. */
  readonly acceptLoss: boolean;
  /** The mark of what is durable cannot be written. */
  readonly onMarkProblem: (error: Error) => void;
  readonly gates: DiskGates;
}

/** Gates with which tests slow the disk down or make it fail. They are awaited before the real call. */
export interface DiskGates {
  readonly beforeWrite: () => Promise<void>;
  readonly beforeSync: () => Promise<void>;
}

export const openGates: DiskGates = {
  beforeWrite: async () => {},
  beforeSync: async () => {},
};

interface OpenedLog {
  readonly file: FileHandle;
  readonly mark: DurableMark;
  readonly base: number;
  readonly recovery: Recovery;
}

interface QueuedFrame {
  readonly bytes: Buffer;
  readonly base: number;
  readonly offset: number;
  readonly ticket: number | undefined;
}

const groupBytesMax = 8 * 1024 * 1024;
const idleMarkDelayMs = 50;

/**
 * The log's writing end: frames queue up, a group of them is written at once and synced once.
 * After a failed sync nothing is tried again, since the kernel may have dropped the pages.
 */
export class AppendLog {
  readonly #options: AppendLogOptions;
  readonly #queue: QueuedFrame[] = [];
  readonly #durableMark: DurableMark;
  /** The state in which the log was found at the start. */
  readonly recovery: Recovery;
  #file: FileHandle;
  /** The segment that `#file` is; the next frame's place may already be in a later one. */
  #fileBase: number;
  #tailBase: number;
  #tailOffset: number;
  #durableBase: number;
  #durableOffset: number;
  #flushing: Promise<void> | undefined;
  #markTimer: NodeJS.Timeout | undefined;
  #markIsLast: boolean;
  #failed: Error | undefined;

  private constructor(options: AppendLogOptions, { file, mark, base, recovery }: OpenedLog) {
    this.#options = options;
    this.#file = file;
    this.#durableMark = mark;
    this.recovery = recovery;
    this.#fileBase = this.#tailBase = this.#durableBase = base;
    this.#tailOffset = this.#durableOffset = recovery.positionAfter - base;
    this.#markIsLast = this.#durableOffset === segmentHeaderBytes;
  }

  /** Reads the log through `visit`, then opens its end for writing. Throws DamagedLog, LostEvents. */
  static async open(options: AppendLogOptions): Promise<AppendLog> {
    const { directory, visit, acceptLoss, onMarkProblem } = options;
    const { mark, found } = await DurableMark.open(directory, onMarkProblem);
    try {
      const recovered = await recover({ directory, visit, acceptLoss, acknowledged: found });
      const { segmentBases, endPosition, ...recovery } = recovered;
      for (const segment of segmentBases) options.onSegment(segment);
      const base = elementAt(segmentBases, segmentBases.length - 1);
      const file = await open(join(directory, segmentName(base)), 'r+');
      // A process that was killed may have left frames that are whole and not on disk yet.
      await file.datasync();
      mark.advance({ base, position: endPosition });
      await mark.sync();
      return new AppendLog(options, { file, mark, base, recovery });
    } catch (error) {
      await mark.close();
      throw error;
    }
  }

  get durablePosition(): number {
    return this.#durableBase + this.#durableOffset;
  }

  /** Why no frame is taken any more, if so. */
  get failure(): Error | undefined {
    return this.#failed;
  }

  /** Queues the frame and says its position. `durable(ticket)` follows, or `undone`, or `fatal`. */
  enqueue(bytes: Buffer, ticket: number | undefined): number {
    if (this.#failed) throw this.#failed;
    clearTimeout(this.#markTimer);
    if (this.#tailOffset >= this.#options.segmentBytesMax) {
      this.#tailBase += this.#tailOffset;
      this.#tailOffset = segmentHeaderBytes;
      this.#options.onSegment(this.#tailBase);
    }
    const place = { base: this.#tailBase, offset: this.#tailOffset };
    const position = place.base + place.offset;
    sealFrame(bytes, position, this.durablePosition);
    this.#queue.push({ bytes, ...place, ticket });
    this.#tailOffset += bytes.length;
    this.#markIsLast = ticket === undefined;
    this.#flushing ??= this.#flush();
    return position;
  }

  async close(): Promise<void> {
    clearTimeout(this.#markTimer);
    await this.#flushing;
    if (!this.#markIsLast && !this.#failed) {
      this.enqueue(encodeMark().bytes, undefined);
      await this.#flushing;
    }
    clearTimeout(this.#markTimer);
    this.#failed ??= new Error('The log is closed');
    await this.#file.close();
    await this.#durableMark.close();
  }

  async #flush(): Promise<void> {
    // Lets everything that arrived in this turn of the event loop join the group.
    await new Promise((resolve) => setImmediate(resolve));
    while (this.#queue.length > 0 && !this.#failed) {
      const group = this.#takeGroup();
      const last = group.at(-1);
      if (!last || !(await this.#write(group)) || !(await this.#sync())) continue;
      this.#durableBase = last.base;
      this.#durableOffset = last.offset + last.bytes.length;
      this.#durableMark.advance({ base: this.#durableBase, position: this.durablePosition });
      const ticket = group.findLast((frame) => frame.ticket !== undefined)?.ticket;
      if (ticket !== undefined) this.#options.listener.durable(ticket);
    }
    this.#flushing = undefined;
    if (!this.#failed && !this.#markIsLast)
      this.#markTimer = setTimeout(() => this.#mark(), idleMarkDelayMs).unref();
  }

  /** When the log falls silent a mark says that all before it was durable, also to a later scan. */
  #mark(): void {
    if (!this.#failed && this.#queue.length === 0) this.enqueue(encodeMark().bytes, undefined);
  }

  #takeGroup(): readonly QueuedFrame[] {
    const base = this.#queue[0]?.base;
    let count = 0;
    for (let bytes = 0; count < this.#queue.length; count++) {
      const frame = this.#queue[count];
      if (!frame || frame.base !== base) break;
      bytes += frame.bytes.length;
      if (count > 0 && bytes > groupBytesMax) break;
    }
    return this.#queue.splice(0, count);
  }

  async #write(group: readonly QueuedFrame[]): Promise<boolean> {
    const first = group[0];
    if (!first) return false;
    try {
      await this.#options.gates.beforeWrite();
      if (first.base !== this.#fileBase) await this.#rotate(first.base);
      const bytes = group.length === 1 ? first.bytes : Buffer.concat(group.map((f) => f.bytes));
      await writeAll(this.#file, bytes, first.offset);
      return true;
    } catch (error) {
      await this.#undo(error as Error);
      return false;
    }
  }

  async #rotate(base: number): Promise<void> {
    let next: FileHandle;
    try {
      next = await createSegment(this.#options.directory, base);
    } catch (error) {
      await rm(join(this.#options.directory, segmentName(base)), { force: true });
      throw error;
    }
    await this.#file.close();
    this.#file = next;
    this.#fileBase = base;
    this.#durableBase = base;
    this.#durableOffset = segmentHeaderBytes;
  }

  async #sync(): Promise<boolean> {
    try {
      await this.#options.gates.beforeSync();
      await this.#file.datasync();
      return true;
    } catch (error) {
      this.#fail(error as Error);
      return false;
    }
  }

  /** Takes the log back to what is durable, so that the next append finds a clean end. */
  async #undo(error: Error): Promise<void> {
    try {
      await this.#file.truncate(this.#durableOffset);
      await this.#file.datasync();
    } catch (truncating) {
      this.#fail(truncating as Error);
      return;
    }
    this.#queue.length = 0;
    this.#tailBase = this.#durableBase;
    this.#tailOffset = this.#durableOffset;
    this.#markIsLast = false;
    this.#options.listener.undone(error);
  }

  #fail(error: Error): void {
    this.#failed = error;
    this.#queue.length = 0;
    this.#options.listener.fatal(error);
  }
}
