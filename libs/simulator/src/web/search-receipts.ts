import { mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';

/** The simulator's record of a search that it answered with results. One JSON line each. */
export interface SearchReceipt {
  readonly id: string;
  /** ISO 8601 UTC. */
  readonly at: string;
  readonly engine: string;
  readonly query: string;
  /** Empty if the engine has none, or none was asked for. */
  readonly mode: string;
  readonly results: number;
  /** The value of `x-client-request-id`. Empty if the client sent none. */
  readonly client_request_id: string;
  /** SHA-256 of the key that it was called with, hex; empty when it had none. */
  readonly credential_sha256: string;
}

export interface SearchReceipts {
  /** Resolves once the line is on disk. */
  write(receipt: SearchReceipt): Promise<void>;
  close(): Promise<void>;
}

/** Returns the file beside that of the generations. */
export function searchesFileOf(receiptsFile: string): string {
  return `${receiptsFile.replace(/\.jsonl$/u, '')}-searches.jsonl`;
}

/** Receipts of searches. The file is made with the first of them. */
export function searchReceipts(path: string): SearchReceipts {
  let opened: ReturnType<typeof open> | undefined;
  async function openFile() {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    return open(path, 'a', 0o600);
  }
  return {
    async write(receipt) {
      opened ??= openFile();
      const file = await opened;
      await file.appendFile(`${JSON.stringify(receipt)}\n`);
      await file.datasync();
    },
    async close() {
      await (await opened)?.close();
    },
  };
}
