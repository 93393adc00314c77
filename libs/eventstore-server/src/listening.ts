import { ServerCredentials, type Server } from '@grpc/grpc-js';
import type { KeyPair } from './access/certificates.ts';

const stopTimeoutMs = 1_000;

/** Returns the port. Without a key pair there is no TLS. Rejects with one sentence that names the address. */
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
  const pair = { cert_chain: Buffer.from(certificate), private_key: Buffer.from(privateKey) };
  return ServerCredentials.createSsl(null, [pair]);
}

function cannotListen(address: string, cause: Error): Error {
  const inUse = cause.message.includes('EADDRINUSE');
  const reason = inUse ? 'the port is in use.' : cause.message.replaceAll('\n', ' ');
  return new Error(`Cannot listen on ${address}: ${reason}`, { cause });
}
