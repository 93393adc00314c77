import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { type FileHandle, mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip, type Gzip } from 'node:zlib';

/** The size and the digest of a file. */
export interface FileSum {
  readonly bytes: number;
  readonly sha256: string;
}

const namesMax = 1_000;

/**
 * Returns a name that no file of the folder has. A file is never replaced: one that a restored database does not know
 * may have facts that the database lacks.
 */
export async function freeName(folder: string, day: string): Promise<string> {
  for (let number = 1; number <= namesMax; number += 1) {
    const name = `sluice-ledger-${day}${number === 1 ? '' : `-${number}`}.jsonl.gz`;
    if (!(await isThere(join(folder, name)))) return name;
  }
  throw new Error(`the folder has ${namesMax} archives of ${day}`);
}

async function isThere(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}

/** Writes lines to a compressed file, which has its name only once it is whole and on the disk. */
export class ArchiveFile {
  readonly #folder: string;
  readonly #name: string;
  readonly #handle: FileHandle;
  readonly #gzip: Gzip = createGzip();
  readonly #hash = createHash('sha256');
  readonly #written: Promise<void>;
  #bytes = 0;

  private constructor(folder: string, name: string, handle: FileHandle) {
    this.#folder = folder;
    this.#name = name;
    this.#handle = handle;
    this.#written = pipeline(this.#gzip, async (chunks: AsyncIterable<Buffer>) => {
      for await (const chunk of chunks) {
        this.#hash.update(chunk);
        this.#bytes += chunk.length;
        await handle.appendFile(chunk);
      }
    });
    // It is waited for at the end.
    this.#written.catch(() => undefined);
  }

  /** Makes the folder if it is not there. A part of a file that an earlier process left is written again. */
  static async create(folder: string, name: string): Promise<ArchiveFile> {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    return new ArchiveFile(folder, name, await open(partOf(folder, name), 'w', 0o600));
  }

  async write(lines: readonly string[]): Promise<void> {
    if (lines.length === 0) return;
    if (this.#gzip.write(`${lines.join('\n')}\n`)) return;
    await Promise.race([once(this.#gzip, 'drain'), this.#written]);
  }

  /** Returns once the file and its name are on the disk. */
  async finish(): Promise<FileSum> {
    this.#gzip.end();
    await this.#written;
    await this.#handle.sync();
    await this.#handle.close();
    await rename(partOf(this.#folder, this.#name), join(this.#folder, this.#name));
    const folder = await open(this.#folder, 'r');
    try {
      await folder.sync();
    } finally {
      await folder.close();
    }
    return { bytes: this.#bytes, sha256: this.#hash.digest('hex') };
  }

  /** Removes the part that was written. */
  async discard(): Promise<void> {
    this.#gzip.destroy();
    await this.#written.catch(() => undefined);
    await this.#handle.close().catch(() => undefined);
    await rm(partOf(this.#folder, this.#name), { force: true });
  }
}

function partOf(folder: string, name: string): string {
  return join(folder, `${name}.part`);
}

/** Returns undefined if there is no such file. */
export async function sumFile(path: string): Promise<FileSum | undefined> {
  const hash = createHash('sha256');
  let bytes = 0;
  try {
    for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
      hash.update(chunk);
      bytes += chunk.length;
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  return { bytes, sha256: hash.digest('hex') };
}

/** Reads the lines of a file whose sum is right. One chunk and one line of it are in memory. */
export async function* readLines(path: string): AsyncGenerator<string, void, undefined> {
  const gunzip = createGunzip();
  const piped = pipeline(createReadStream(path), gunzip);
  piped.catch(() => undefined);
  gunzip.setEncoding('utf8');
  let begun = '';
  for await (const chunk of gunzip as AsyncIterable<string>) {
    const lines = `${begun}${chunk}`.split('\n');
    begun = lines.pop() ?? '';
    yield* lines;
  }
  await piped;
}
