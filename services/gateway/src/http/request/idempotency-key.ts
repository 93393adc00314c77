import { invalidRequest, rejectionToFault } from '@sluice/errors';
import type { FastifyRequest } from 'fastify';

const keyPattern = /^[\x20-\x7e]{1,255}$/;

/** Returns the key of a request; undefined: it has none. Throws invalid_request for a malformed one. */
export function idempotencyKeyOf({ headers }: Pick<FastifyRequest, 'headers'>): string | undefined {
  const key = headers['idempotency-key'];
  if (key === undefined) return undefined;
  if (typeof key === 'string' && keyPattern.test(key)) return key;
  const message = 'must be 1 to 255 printable ASCII characters';
  throw rejectionToFault(invalidRequest([{ path: 'idempotency-key', message }]));
}
