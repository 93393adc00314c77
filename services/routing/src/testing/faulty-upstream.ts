import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The fault of an upstream. `none`: it answers. */
export type Fault = 'none' | 'silence' | 'error' | 'slowness' | 'garbage' | 'cut';

/** A server that speaks chat completions, well or not. */
export interface FaultyUpstream {
  readonly url: string;
  fault: Fault;
  /** When requests came, in milliseconds of its clock. */
  readonly arrivals: readonly number[];
  /** The number of requests whose caller left without an answer. */
  readonly leftCount: number;
  stop(): Promise<void>;
}

const slowMs = 20_000;

const chunk = (delta: object, finish: string | null, usage?: object) =>
  `data: ${JSON.stringify({
    id: 'chatcmpl-1',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'm',
    choices: [{ index: 0, delta, finish_reason: finish }],
    ...(usage && { usage }),
  })}\n\n`;

const first = chunk({ role: 'assistant', content: 'Hello' }, null);
const rest =
  chunk({}, 'stop', { prompt_tokens: 3, completion_tokens: 1, total_tokens: 4 }) +
  'data: [DONE]\n\n';

export async function faultyUpstream(nowMs = () => performance.now()): Promise<FaultyUpstream> {
  const arrivals: number[] = [];
  const timers = new Set<NodeJS.Timeout>();
  const answer = (response: ServerResponse) =>
    response.writeHead(200, { 'content-type': 'text/event-stream' }).end(first + rest);
  const respond: Readonly<Record<Fault, (response: ServerResponse) => void>> = {
    none: answer,
    silence: () => {},
    error: (response) => response.writeHead(500).end('{"error":{"message":"broken"}}'),
    slowness: (response) => void timers.add(setTimeout(() => answer(response), slowMs)),
    garbage: (response) =>
      response.writeHead(200, { 'content-type': 'text/event-stream' }).end('\0\u0001}{ data'),
    cut(response) {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(first, () => response.destroy());
    },
  };
  const upstream = { fault: 'none' as Fault, arrivals, leftCount: 0 };
  const server = createServer((request, response) => {
    arrivals.push(nowMs());
    response.once('close', () => void (upstream.leftCount += response.writableEnded ? 0 : 1));
    request.resume().once('end', () => respond[upstream.fault](response));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return Object.assign(upstream, {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/v1`,
    async stop() {
      for (const timer of timers) clearTimeout(timer);
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  });
}
