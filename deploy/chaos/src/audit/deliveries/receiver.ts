import { createServer } from 'node:http';
import { listenOnLoopback } from '@sluice/acceptance/loopback';
import type { Taken } from './taken.ts';

/** A receiver of webhooks that nothing hits. */
export interface Receiver extends AsyncDisposable {
  /** Returns the URL of a path, for a destination. */
  urlOf(path: string): string;
  /** Returns the generations that a path got, each as often as it got it. */
  taken(path: string): readonly Taken[];
}

/** Starts a receiver that remembers the ids of all generations that it took. */
export async function startReceiver(): Promise<Receiver> {
  const takenAt = new Map<string, Taken[]>();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('error', () => undefined);
    request.on('end', () => {
      const { generations } = JSON.parse(Buffer.concat(chunks).toString()) as {
        readonly generations: readonly Readonly<Record<string, unknown>>[];
      };
      const path = request.url ?? '';
      const taken = takenAt.get(path) ?? [];
      takenAt.set(path, taken);
      for (const one of generations)
        taken.push({ id: String(one['id']), hasContents: 'input' in one });
      response.end('{}');
    });
  });
  const loopback = await listenOnLoopback(server);
  return {
    urlOf: (path) => `${loopback.url}/${path}`,
    taken: (path) => takenAt.get(`/${path}`) ?? [],
    [Symbol.asyncDispose]: () => loopback.stop(),
  };
}
