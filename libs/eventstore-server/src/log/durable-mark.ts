import { constants } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { syncDirectory, writeAll } from './segment.ts';

/** A place in the log, with the segment that it lies in. */
export interface LogEnd {
  readonly base: number;
  /** The first position behind what is meant. */
  readonly position: number;
}

export const markFileName = 'durable.mark';

const magic = Buffer.from('SLDM', 'latin1');
const slotBytes = 40;
/** Each slot has a sector of its own: a torn write spoils one of them. */
const slotDistanceBytes = 4_096;
const slots = [0, 1] as const;
const syncDelayMs = 1_000;

/**
 * Remembers how far the log is on disk in a second file, so that a later start notices when its end is missing.
 * The mark follows the log and never leads it: it is written after the sync that it records. It is synced once
 * a second; what a power cut takes from it makes it older, never wrong.
 */
export class DurableMark {
  readonly #file: FileHandle;
  readonly #onProblem: (error: Error) => void;
  #sequence: number;
  #wanted: LogEnd | undefined;
  #writing: Promise<void> | undefined;
  #syncTimer: NodeJS.Timeout | undefined;
  #isSynced = true;
  #failed = false;

  private constructor(file: FileHandle, sequence: number, onProblem: (error: Error) => void) {
    this.#file = file;
    this.#sequence = sequence;
    this.#onProblem = onProblem;
  }

  /** Opens or creates the file. Reports the first write failure and writes no mark after it. */
  static async open(
    directory: string,
    onProblem: (error: Error) => void,
  ): Promise<{ readonly mark: DurableMark; readonly found: LogEnd | undefined }> {
    const { O_RDWR, O_CREAT } = constants;
    const file = await open(join(directory, markFileName), O_RDWR | O_CREAT, 0o600);
    try {
      await syncDirectory(directory);
      const found = await newestSlot(file);
      const mark = new DurableMark(file, found?.sequence ?? 0, onProblem);
      return { mark, found: found && { base: found.base, position: found.position } };
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  /** Everything before this end is on disk. Returns at once; a newer end replaces one that waits. */
  advance(end: LogEnd): void {
    if (this.#failed) return;
    this.#wanted = end;
    this.#writing ??= this.#write();
  }

  /** Resolves when the newest end is on disk. */
  async sync(): Promise<void> {
    await this.#writing;
    clearTimeout(this.#syncTimer);
    this.#syncTimer = undefined;
    if (this.#isSynced || this.#failed) return;
    this.#isSynced = true;
    await this.#file.datasync().catch((error: Error) => this.#fail(error));
  }

  async close(): Promise<void> {
    await this.sync();
    this.#failed = true;
    await this.#file.close();
  }

  async #write(): Promise<void> {
    for (let end = this.#wanted; end && !this.#failed; end = this.#wanted) {
      this.#wanted = undefined;
      this.#sequence++;
      const offset = (this.#sequence % slots.length) * slotDistanceBytes;
      const slot = encodeSlot(this.#sequence, end);
      await writeAll(this.#file, slot, offset).catch((error: Error) => this.#fail(error));
      this.#isSynced = false;
    }
    this.#writing = undefined;
    if (!this.#failed) this.#syncTimer ??= setTimeout(() => void this.sync(), syncDelayMs).unref();
  }

  #fail(error: Error): void {
    if (!this.#failed) this.#onProblem(error);
    this.#failed = true;
  }
}

function encodeSlot(sequence: number, { base, position }: LogEnd): Buffer {
  const slot = Buffer.alloc(slotBytes);
  magic.copy(slot);
  slot.writeDoubleLE(sequence, 8);
  slot.writeDoubleLE(base, 16);
  slot.writeDoubleLE(position, 24);
  slot.writeUInt32LE(crc32(slot.subarray(8)), 4);
  return slot;
}

/**
 * Returns the slot with the highest number, not the highest position: an operator who accepts a loss sets the mark
 * back.
 */
async function newestSlot(file: FileHandle) {
  const found: { readonly sequence: number; readonly base: number; readonly position: number }[] =
    [];
  for (const slot of slots) {
    const bytes = Buffer.alloc(slotBytes);
    const { bytesRead } = await file.read(bytes, 0, slotBytes, slot * slotDistanceBytes);
    const isWhole = bytesRead === slotBytes && bytes.subarray(0, magic.length).equals(magic);
    if (!isWhole || bytes.readUInt32LE(4) !== crc32(bytes.subarray(8))) continue;
    const [sequence, base] = [bytes.readDoubleLE(8), bytes.readDoubleLE(16)];
    found.push({ sequence, base, position: bytes.readDoubleLE(24) });
  }
  return found.toSorted((a, b) => b.sequence - a.sequence)[0];
}
