import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import type { Server } from 'node:net';
import { proxyPort } from '../engine/confine.ts';
import { bareEnvironment } from './bare-environment.ts';

/** Runs in the network of the box: it opens the port, hands the listening socket over and ends. */
const programFor = (host: string, port: number) => `
import { createServer } from 'node:net';
const server = createServer();
server.listen(${port}, '${host}', () => {
  process.send('listening', server, () => process.exit());
});
`;

const nodeDescriptor = 4;

export interface InnerNetwork {
  /** A process that is in the network. */
  readonly pid: number;
  /** The address in it. */
  readonly host: string;
  /** That of the proxy if absent. */
  readonly port?: number;
  /** The network belongs to the user namespace of the process, which has this owner. */
  readonly inner?: { readonly owner: { readonly uid: number; readonly gid: number } | undefined };
}

/**
 * Listens on the port of the proxy in the network of a process. The socket belongs to this process; no process of ours
 * stays in the box.
 */
export async function listenInside({
  pid,
  host,
  port = proxyPort,
  inner,
}: InnerNetwork): Promise<Server> {
  const node = openSync(process.execPath, 'r');
  try {
    const user = inner ? ['--user', '--preserve-credentials'] : [];
    const enter = [...user, '--net', '--target', String(pid)];
    const program = `/proc/self/fd/${nodeDescriptor}`;
    const start = [program, '--input-type=module', '--eval', programFor(host, port)];
    const child = spawn('sh', ['-c', 'exec nsenter "$@"', 'sh', ...enter, ...start], {
      ...inner?.owner,
      cwd: '/',
      env: bareEnvironment,
      stdio: ['ignore', 'ignore', 'ignore', 'ipc', node],
    });
    const { promise, resolve, reject } = Promise.withResolvers<Server>();
    let server: Server | undefined;
    child.once('message', (_message, handle) => {
      server = handle as Server;
    });
    child.once('error', reject);
    // Until it has ended it may take connections itself. Its message may be read after its exit, but before its close.
    child.once('close', (code) => {
      if (server) resolve(server);
      else reject(new Error(`the egress port did not open (${code})`));
    });
    return await promise;
  } finally {
    closeSync(node);
  }
}
