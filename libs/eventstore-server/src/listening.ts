import { ServerCredentials, type Server } from '@grpc/grpc-js';

export interface KeyPair {
  /** PEM. */
  readonly certificate: Buffer;
  /** PEM. */
  readonly privateKey: Buffer;
}

const stopTimeoutMs = 1_000;

/** The port. Rejects with one sentence that names the address. */
export async function listen(
  server: Server,
  address: string,
  keyPair: KeyPair | undefined,
): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  server.bindAsync(address, serverCredentials(keyPair), (error, port) =>
    error ? reject(cannotListen(address, error)) : resolve(port),
  );
  return await promise;
}

/** Calls that do not end by themselves in a moment are ended. */
export async function shutDown(server: Server): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(() => {
    server.forceShutdown();
    resolve();
  }, stopTimeoutMs);
  server.tryShutdown(() => resolve());
  await promise;
  clearTimeout(timer);
}

function serverCredentials(keyPair: KeyPair | undefined): ServerCredentials {
  if (!keyPair) return ServerCredentials.createInsecure();
  const { certificate, privateKey } = keyPair;
  return ServerCredentials.createSsl(null, [{ cert_chain: certificate, private_key: privateKey }]);
}

function cannotListen(address: string, cause: Error): Error {
  const inUse = cause.message.includes('EADDRINUSE');
  const reason = inUse ? 'the port is in use.' : cause.message.replaceAll('\n', ' ');
  return new Error(`Cannot listen on ${address}: ${reason}`, { cause });
}
