import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';
import { answerCommands } from '../harness/commanded-process.ts';
import { endOf, idPattern } from './generation-id.ts';

/** The generations that came. */
export interface Came {
  readonly generations: number;
  /** Number of generations that came more than once. */
  readonly repeated: number;
  /** Milliseconds from the end of a generation to its delivery, of those that ended after a time. */
  readonly lagsMs: readonly number[];
}

/** The calls of a path. */
export interface Called {
  readonly path: string;
  readonly count: number;
}

const calls = new Map<string, number>();
const seen = new Map<string, Map<string, number>>();
let repeated = 0;

/**
 * Takes batches in any form that has the ids of generations as text, and notes when each came first. A path that begins
 * with `/hanging` is never answered.
 */
const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const nowMs = Date.now();
    const path = request.url ?? '';
    calls.set(path, (calls.get(path) ?? 0) + 1);
    if (path.startsWith('/hanging')) return;
    const known = seen.get(path) ?? new Map<string, number>();
    seen.set(path, known);
    const bytes = Buffer.concat(chunks);
    const isZipped = request.headers['content-encoding'] === 'gzip';
    const text = (isZipped ? gunzipSync(bytes) : bytes).toString('latin1');
    for (const id of new Set(text.match(idPattern)))
      if (known.has(id)) repeated += 1;
      else known.set(id, nowMs - endOf(id));
    response.end('{}');
  });
});

const functions = {
  async listen(): Promise<number> {
    await once(server.listen(0, '127.0.0.1'), 'listening');
    return (server.address() as AddressInfo).port;
  },
  async count(): Promise<number> {
    return [...seen.values()].reduce((sum, { size }) => sum + size, 0);
  },
  async requests(): Promise<readonly Called[]> {
    return [...calls].map(([path, count]) => ({ path, count }));
  },
  async came(sinceMs: number): Promise<Came> {
    const all = [...seen.values()].flatMap((known) => [...known]);
    const lagsMs = all.filter(([id]) => endOf(id) >= sinceMs).map(([, lagMs]) => lagMs);
    return { generations: all.length, repeated, lagsMs };
  },
};
export type ReceiverFunctions = typeof functions;

answerCommands(functions);
