import { Fault } from '@sluice/errors';

/** PostgreSQL refused the statement itself: trying it again gives the same answer. */
export class StatementFailed extends Error {
  override readonly name = 'StatementFailed';
  /** Five characters, for example 23505 for a unique violation. */
  readonly sqlState: string;
  readonly constraint: string | undefined;

  constructor(sqlState: string, constraint: string | undefined, cause: Error) {
    super(`statement failed (${sqlState}): ${cause.message}`, { cause });
    this.sqlState = sqlState;
    this.constraint = constraint;
  }
}

/**
 * Classes and codes that say "not now": connection, transaction rollback (deadlock), resources,
 * read-only standby, lock time-out, cancelled by time-out, shutting down or starting.
 */
const passing = /^(08|40|53|25006|55P03|57014|57P0[1-5]|58030)/;

/** Translates what pg threw, once: faults pass through, the pg error stays as the cause. */
export function translated(error: unknown): Error {
  if (error instanceof Fault || error instanceof StatementFailed) return error;
  if (!(error instanceof Error)) return new Fault('read_model_unavailable', { cause: error });
  const { code, constraint } = error as { code?: unknown; constraint?: unknown };
  const sqlState = typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) ? code : undefined;
  if (sqlState === undefined || passing.test(sqlState))
    return new Fault('read_model_unavailable', { cause: error });
  return new StatementFailed(
    sqlState,
    typeof constraint === 'string' ? constraint : undefined,
    error,
  );
}

/** No connection could be made; also when it was refused: a password is mended from outside. */
export function unreachable(cause: unknown): never {
  throw new Fault('read_model_unavailable', { cause });
}

/** True when nobody knows what the connection still has to say: it must be thrown away. */
export function isBroken(error: unknown): boolean {
  return error instanceof Fault && error.code === 'read_model_unavailable';
}

/** True when the same work may succeed later, without anybody changing it. */
export function isPassing(error: unknown): boolean {
  return error instanceof Fault && error.retryable;
}
