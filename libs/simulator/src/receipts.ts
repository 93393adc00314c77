import { mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Dialect } from './dialect.ts';

/** The simulator's record of an answer: the books of the other side. One JSON line each. */
export interface Receipt {
  /** The id that the response carried. */
  readonly id: string;
  /** ISO 8601 UTC. */
  readonly at: string;
  readonly model: string;
  readonly dialect: Dialect['name'];
  readonly input_tokens: number;
  readonly cached_tokens: number;
  readonly output_tokens: number;
  readonly reasoning_tokens: number;
  /** Billed by Cohere's API in place of tokens. Absent: none. */
  readonly search_units?: number;
  /** Searches of the web that it made itself. Absent: none. */
  readonly web_searches?: number;
  /** cut, failed: by a fault that was asked for; disconnected: the client left. */
  readonly outcome: 'completed' | 'incomplete' | 'cut' | 'failed' | 'disconnected';
  readonly streamed: boolean;
  /** The value of `x-client-request-id`. Empty if the client sent none. */
  readonly client_request_id: string;
  /** SHA-256 of the key that it was called with, hex; empty when it had none. */
  readonly credential_sha256: string;
}

export interface Receipts {
  /** Resolves once the line is on disk. */
  write(receipt: Receipt): Promise<void>;
  close(): Promise<void>;
}

/** Opens (and creates) the file for appending. Lines that wait together share one fsync. */
export async function openReceipts(path: string): Promise<Receipts> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const file = await open(path, 'a', 0o600);
  let waiting: string[] = [];
  let flushing: Promise<void> | undefined;

  async function flush(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    const lines = waiting;
    waiting = [];
    flushing = undefined;
    const previous = writing;
    writing = previous.then(async () => {
      await file.appendFile(lines.join(''));
      await file.datasync();
    });
    await writing;
  }
  let writing: Promise<void> = Promise.resolve();

  return {
    write(receipt) {
      waiting.push(`${JSON.stringify(receipt)}\n`);
      flushing ??= flush();
      return flushing;
    },
    async close() {
      await flushing;
      await writing;
      await file.close();
    },
  };
}
