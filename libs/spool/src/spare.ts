import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fillWithZeros, syncDirectory } from './segment.ts';

const spareName = 'spare.unused';
/** A disk takes so many bytes in about a millisecond. */
const pieceBytes = 262_144;
/** The rest after each piece, as a multiple of the time that it took. */
const restShare = 2;

export interface SpareOptions {
  readonly directory: string;
  readonly bytes: number;
  /** A segment that is not needed any more and becomes the spare. Absent: a new file. */
  readonly from?: string | undefined;
}

/**
 * A file of zeros that becomes the next segment: later writes change no metadata, so that one fdatasync is one write.
 * It is filled in small pieces with rests between them, because records wait while a disk writes much else.
 */
export class Spare {
  /** Resolves when a segment that becomes the spare has lost its name on disk. */
  readonly renamed: Promise<void>;
  readonly #options: SpareOptions;
  readonly #file: Promise<FileHandle>;
  #isUrgent = false;
  #isDiscarded = false;

  constructor(options: SpareOptions) {
    this.#options = options;
    this.renamed = this.#rename();
    this.#file = this.#prepared();
    // Reported by take.
    this.#file.catch(() => {});
  }

  /** Resolves with the file when all its zeros are on disk, as soon as possible. */
  take(): Promise<FileHandle> {
    this.#isUrgent = true;
    return this.#file;
  }

  async discard(): Promise<void> {
    this.#isDiscarded = true;
    await (await this.#file.catch(() => undefined))?.close();
    await removeSpare(this.#options.directory);
  }

  async #rename(): Promise<void> {
    const { directory, from } = this.#options;
    if (from === undefined) return;
    await rename(from, join(directory, spareName));
    await syncDirectory(directory);
  }

  async #prepared(): Promise<FileHandle> {
    await this.renamed;
    const { directory, from, bytes } = this.#options;
    const flags = from === undefined ? 'w+' : 'r+';
    const file = await open(join(directory, spareName), flags, 0o600);
    try {
      // An earlier release may have made larger ones.
      await file.truncate(bytes);
      await this.#fill(file, bytes);
      return file;
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  async #fill(file: FileHandle, bytes: number): Promise<void> {
    for (let offset = 0; offset < bytes && !this.#isDiscarded;) {
      const end = this.#isUrgent ? bytes : Math.min(bytes, offset + pieceBytes);
      const sinceMs = performance.now();
      await fillWithZeros(file, offset, end);
      await file.datasync();
      if (!this.#isUrgent) await delay((performance.now() - sinceMs) * restShare);
      offset = end;
    }
    await file.sync();
  }
}

/** Gives the spare the name of a segment, whole or not at all. */
export async function renameSpare(directory: string, path: string): Promise<void> {
  await rename(join(directory, spareName), path);
  await syncDirectory(directory);
}

export async function removeSpare(directory: string): Promise<void> {
  await rm(join(directory, spareName), { force: true });
}
