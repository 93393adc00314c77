import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import type { Server } from 'node:net';
import { proxyPort } from './arguments.ts';
import { bareEnvironment } from './holder.ts';

/** Runs in the network of the box: it opens the port, hands the listening socket over and ends. */
const program = `
import { createServer } from 'node:net';
const server = createServer();
server.listen(${proxyPort}, '127.0.0.1', () => {
  process.send('listening', server, () => process.exit());
});
`;

const nodeDescriptor = 4;

/**
 * Listens on 127.0.0.1 in the network of a holder. The socket belongs to this process; no process of ours stays in the
 * box.
 */
export async function listenInside(
  holderPid: number,
  owner: { readonly uid: number; readonly gid: number } | undefined,
): Promise<Server> {
  const node = openSync(process.execPath, 'r');
  try {
    const enter = ['--user', '--preserve-credentials', '--net', '--target', String(holderPid)];
    const start = [`/proc/self/fd/${nodeDescriptor}`, '--input-type=module', '--eval', program];
    const child = spawn('sh', ['-c', 'exec nsenter "$@"', 'sh', ...enter, ...start], {
      ...owner,
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
    // Until it has ended it may take connections itself.
    child.once('exit', (code) => {
      if (server) resolve(server);
      else reject(new Error(`the egress port did not open (${code})`));
    });
    return await promise;
  } finally {
    closeSync(node);
  }
}
