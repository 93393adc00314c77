import type { Socket } from 'node:net';
import { inspectPresentedKey } from '@sluice/api-key';
import type { FastifyRequest } from 'fastify';
import type { PresentedKey } from '../../keys/principal-cache.ts';

interface Presented extends PresentedKey {
  readonly header: string;
}

/** Caches the last key of each connection: a client sends the same key with every request. */
const last = new WeakMap<Socket, Presented>();
const bearerPattern = /^bearer +(\S+)$/i;

/** Returns the key in an `Authorization` header. undefined: the header cannot hold one. */
export function presentedKey(header: string, socket: Socket): PresentedKey | undefined {
  const before = last.get(socket);
  if (before?.header === header) return before;
  const secret = bearerPattern.exec(header)?.[1];
  const inspected = secret === undefined ? undefined : inspectPresentedKey(secret);
  if (secret === undefined || inspected === undefined) return undefined;
  const presented = { header, secret, hash: inspected.hash };
  last.set(socket, presented);
  return presented;
}

/** Returns the `Authorization` header. On the routes that take `x-api-key`, that header may stand in its place. */
export function credentialsOf({ headers, route }: FastifyRequest): string {
  const header = headers.authorization?.trim() ?? '';
  const key = headers['x-api-key'];
  if (header !== '' || route.config.takesApiKeyHeader !== true) return header;
  return typeof key === 'string' && key.trim() !== '' ? `Bearer ${key.trim()}` : '';
}

/** Returns the secret by which the caller proved itself. */
export function secretOf(request: FastifyRequest): string {
  return presentedKey(credentialsOf(request), request.raw.socket)?.secret ?? '';
}
