import { createServer, type AddressInfo } from 'node:net';
import { SetupProblem } from './setup-problem.ts';

/** A port of 127.0.0.1 that nobody listens on now. Somebody else may take it before its use. */
export async function freePort(): Promise<number> {
  return listenOnce('127.0.0.1', 0);
}

/** Whether nobody listens on a port of 127.0.0.1 now. */
export async function isFreePort(port: number): Promise<boolean> {
  return listenOnce('127.0.0.1', port).then(
    () => true,
    () => false,
  );
}

/** Throws SetupProblem when the port cannot be listened on. `variable` is the setting that names it. */
export async function requireFreePort(host: string, port: number, variable: string): Promise<void> {
  try {
    await listenOnce(host, port);
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    const reason =
      code === 'EADDRINUSE'
        ? 'is in use'
        : code === 'EACCES'
          ? 'may not be used by this user'
          : `cannot be used (${code})`;
    throw new SetupProblem(`Port ${port} on ${host} ${reason}: set ${variable} to another.`, {
      cause,
    });
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
