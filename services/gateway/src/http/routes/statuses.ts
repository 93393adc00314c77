import type { FastifyContextConfig, FastifySchema } from 'fastify';

/** The statuses that any route may answer with. */
export const statusesOfAll: readonly number[] = [401, 408, 429, 500, 503];

const withBody: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH']);

/**
 * Every status that a route may answer with, in order: those of its `response`, its own `errors`, and
 * what its guard, its rate limit, its path, its body and what it depends on bring.
 */
export function statusesOf(
  method: string,
  config: FastifyContextConfig,
  { params, response }: FastifySchema,
): readonly number[] {
  const { auth, errors, organization } = config;
  const statuses = new Set<number>([...successesOf(response), ...errors]);
  for (const status of statusesOfAll) statuses.add(status);
  if (auth === 'management' || auth === 'inference') statuses.add(403);
  if (organization || params !== undefined) statuses.add(404);
  if (withBody.has(method)) for (const status of [400, 413, 415]) statuses.add(status);
  if (isIdempotent(method, config)) statuses.add(422);
  // Too many change the same thing at once.
  if (auth === 'management' && method !== 'GET') statuses.add(409);
  return [...statuses].toSorted((a, b) => a - b);
}

/** The statuses of a route's `response`. */
export function successesOf(response: unknown): readonly number[] {
  return Object.keys(response ?? {}).map(Number);
}

/** Returns true for a route that honors the header `Idempotency-Key`: every POST of the management plane. */
export function isIdempotent(
  method: string,
  { auth }: Pick<FastifyContextConfig, 'auth'>,
): boolean {
  return method === 'POST' && auth === 'management';
}

/** Returns true for a method whose requests may have a body. */
export function hasBody(method: string): boolean {
  return withBody.has(method);
}
