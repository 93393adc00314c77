import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export interface Delivery {
  readonly ids: readonly string[];
  readonly headers: IncomingMessage['headers'];
  readonly generations: readonly Readonly<Record<string, unknown>>[];
}

/** A server that takes webhooks. */
export interface Receiver {
  readonly url: string;
  readonly port: number;
  /** All batches that it answered with a success, in their order. */
  readonly taken: readonly Delivery[];
  /** The ids of all generations that it took. */
  ids(): readonly string[];
  /** The number of requests, whatever became of them. */
  requests(): number;
  /** Decides about a request, in place of an answer of 200. Returning false answers 200 after all. */
  onRequest:
    | ((response: ServerResponse, delivery: Delivery) => boolean | Promise<boolean>)
    | undefined;
}

export async function receiver(): Promise<Receiver> {
  const taken: Delivery[] = [];
  let requests = 0;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('error', () => undefined);
    request.on('end', () => {
      requests += 1;
      const { generations } = JSON.parse(Buffer.concat(chunks).toString()) as {
        generations: readonly Readonly<Record<string, unknown>>[];
      };
      const ids = generations.map(({ id }) => String(id));
      const delivery = { ids, headers: request.headers, generations };
      void Promise.resolve(made.onRequest?.(response, delivery) ?? false).then((isDone) => {
        if (isDone) return;
        taken.push(delivery);
        response.end('{}');
      });
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const made: Receiver = {
    url: `http://127.0.0.1:${String(port)}/hook`,
    port,
    taken,
    ids: () => taken.flatMap(({ ids }) => ids),
    requests: () => requests,
    onRequest: undefined,
  };
  return made;
}
