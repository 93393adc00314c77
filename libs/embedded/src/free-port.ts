import { createSocket } from 'node:dgram';
import { createServer, type AddressInfo } from 'node:net';
import { SetupProblem } from './setup-problem.ts';

/** Below what systems give to outgoing connections, which could take a port before it is listened on. */
const firstPort = 10_000;
const blocks = 1_100;
const portsPerBlock = 20;
const blocksTriedMax = 50;
let cursor = 0;

/**
 * Returns a port of 127.0.0.1 that is free now, not in `setAside`, and claimed by this process until it ends: no other
 * gets it from here, also while what listens on it is down. Processes that start together begin in blocks of their
 * own; a block in which nothing is left is followed by the next. Throws SetupProblem after 50 blocks.
 */
export async function freePort(setAside: ReadonlySet<number> = new Set()): Promise<number> {
  for (let tried = 0; tried < blocksTriedMax * portsPerBlock; tried += 1) {
    const block = (process.pid + Math.floor(tried / portsPerBlock)) % blocks;
    const port = firstPort + block * portsPerBlock + cursor;
    cursor = (cursor + 1) % portsPerBlock;
    if (!setAside.has(port) && (await isFreePort(port)) && (await claim(port))) return port;
  }
  const triedMax = blocksTriedMax * portsPerBlock;
  throw new SetupProblem(
    `None of ${triedMax} ports of 127.0.0.1 is free: end what listens on them.`,
  );
}

/** True when no process listens on the port of 127.0.0.1. */
export async function isFreePort(port: number): Promise<boolean> {
  return listenOnce('127.0.0.1', port).then(
    () => true,
    () => false,
  );
}

/** Holds the UDP port of the same number, which nobody else uses: the system lets go of it however the process ends. */
async function claim(port: number): Promise<boolean> {
  const socket = createSocket('udp4');
  const { promise, resolve } = Promise.withResolvers<boolean>();
  socket.once('error', () => {
    socket.close();
    resolve(false);
  });
  socket.bind({ port, address: '127.0.0.1', exclusive: true }, () => {
    resolve(true);
  });
  const claimed = await promise;
  if (claimed) socket.unref();
  return claimed;
}

/** Throws SetupProblem when the port cannot be listened on. `variable` is the setting that names it. */
export async function requireFreePort(host: string, port: number, variable: string): Promise<void> {
  try {
    await listenOnce(host, port);
  } catch (cause) {
    throw new SetupProblem(problemOf(cause, host, port, variable), { cause });
  }
}

function problemOf(cause: unknown, host: string, port: number, variable: string): string {
  const { code } = cause as NodeJS.ErrnoException;
  switch (code) {
    case 'EADDRINUSE':
      return `Port ${port} on ${host} is in use: set ${variable} to another.`;
    case 'EACCES':
      return `Port ${port} on ${host} may not be used by this user: set ${variable} to another.`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `${host} is no address of this machine: set SLUICE_HOST to one, as 127.0.0.1 is.`;
    default:
      return `Port ${port} on ${host} cannot be used (${code}): set ${variable} to another.`;
  }
}

async function listenOnce(host: string, port: number): Promise<number> {
  const server = createServer();
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', reject).listen(port, host, resolve);
  await promise;
  const taken = (server.address() as AddressInfo).port;
  await new Promise<void>((closed) => {
    server.close(() => closed());
  });
  return taken;
}
