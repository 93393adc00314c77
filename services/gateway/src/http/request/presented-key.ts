import type { Socket } from 'node:net';
import { inspectPresentedKey } from '@sluice/api-key';
import type { PresentedKey } from '../../keys/principal-cache.ts';
import { bearerOf } from './bearer.ts';

interface Presented extends PresentedKey {
  readonly header: string;
}

/** Per connection, and no longer than it: one presents the same key with every request. */
const last = new WeakMap<Socket, Presented>();

/** The key in an `Authorization` header; undefined when what it carries cannot be one. */
export function presentedKey(header: string, socket: Socket): PresentedKey | undefined {
  const before = last.get(socket);
  if (before?.header === header) return before;
  const secret = bearerOf(header);
  const inspected = secret === undefined ? undefined : inspectPresentedKey(secret);
  if (secret === undefined || inspected === undefined) return undefined;
  const presented = { header, secret, hash: inspected.hash };
  last.set(socket, presented);
  return presented;
}
