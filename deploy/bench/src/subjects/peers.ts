import { join } from 'node:path';
import { freePort, startServerProcess } from '@sluice/embedded';
import type { Upstream } from '../harness/upstream/upstream.ts';
import { showProgress } from '../program.ts';
import { responsesDoor } from './door.ts';
import { installPortkey } from './portkey/install.ts';
import type { Subject, SubjectName } from './subject.ts';

/** A gateway that others have made, by its start command. */
interface Peer {
  /** Returns the arguments of Node.js. It may install the peer first. */
  readonly args: (given: Given) => readonly string[] | Promise<readonly string[]>;
  readonly env?: Readonly<Record<string, string>>;
  /** The line that says that it takes requests. */
  readonly readyPattern: RegExp;
  /** The headers of a request that lead to the upstream. */
  readonly headers?: (upstreamUrl: string) => Readonly<Record<string, string>>;
  readonly mayBeMissing?: true;
}

interface Given {
  readonly port: number;
  readonly upstreamUrl: string;
}

const file = (...names: readonly string[]) => join(import.meta.dirname, ...names);

/** A new peer is a row here and a name in `subjectNames`. */
const peers = {
  /** A proxy of fastify and undici that does nothing else: the yardstick. */
  bare: {
    // Threads that collect garbage would share one processor with the thread that waits for them.
    args: ({ port, upstreamUrl }) => [
      '--single-threaded-gc',
      file('bare-proxy.ts'),
      `${port}`,
      upstreamUrl,
    ],
    readyPattern: /Ready for connections/,
  },
  /** Portkey's gateway as its README starts it: it forwards, without keys, limits or books of its own. */
  portkey: {
    args: async ({ port }) => [
      '--import',
      file('portkey', 'on-loopback.ts'),
      await installPortkey(showProgress),
      `--port=${port}`,
      '--headless',
    ],
    env: { NODE_ENV: 'production', TRUSTED_CUSTOM_HOSTS: '127.0.0.1,localhost' },
    readyPattern: /Ready for connections/,
    headers: (upstreamUrl) => ({
      authorization: 'Bearer bench',
      'x-portkey-provider': 'openai',
      'x-portkey-custom-host': `${upstreamUrl}/v1`,
    }),
    mayBeMissing: true,
  },
} satisfies Partial<Record<SubjectName, Peer>>;

type PeerName = keyof typeof peers;

/** Returns true for a subject that comes from elsewhere: a machine that cannot fetch it compares with the rest. */
export const mayBeMissing = (name: SubjectName) =>
  (peers as Partial<Record<SubjectName, Peer>>)[name]?.mayBeMissing === true;

/** Holds the common fields of subjects that take the upstream's own requests. */
const plain = {
  path: '/v1/responses',
  door: responsesDoor,
  model: 'echo',
  headers: {},
} as const;

/** Starts a peer in front of the upstream. */
export async function startPeer(name: PeerName, upstream: Upstream): Promise<Subject> {
  const { args, env = {}, readyPattern, headers }: Peer = peers[name];
  const upstreamUrl = `http://127.0.0.1:${upstream.port}`;
  const port = await freePort();
  const server = await startServerProcess({
    name,
    command: process.execPath,
    args: await args({ port, upstreamUrl }),
    stopSignal: 'SIGTERM',
    env,
    readyPattern,
    onLog: () => undefined,
  });
  return {
    ...plain,
    name,
    port,
    headers: headers?.(upstreamUrl) ?? {},
    pids: async () => ({ measured: [server.pid], others: [] }),
    stop: () => server.stop(),
  };
}

/** Nothing in between: what the others add is the difference to it. What is measured is the upstream. */
export function directSubject(upstream: Upstream): Subject {
  const { port, pid } = upstream;
  const pids = async () => ({ measured: [pid], others: [] });
  return { ...plain, name: 'direct', port, pids, stop: async () => {} };
}
