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
 * read-only standby, a session ended by a time-out, lock time-out, cancelled by time-out, shutting
 * down or starting.
 */
const passing = /^(08|40|53|25006|25P0[34]|55P03|57014|57P0[1-5]|58030)/;

/** Translates what pg threw, once: faults pass through, the pg error stays as the cause. */
export function translated(error: unknown): Error {
  if (error instanceof Fault || error instanceof StatementFailed) return error;
  if (!(error instanceof Error)) return new Fault('read_model_unavailable', { cause: error });
  const { constraint } = error as { constraint?: unknown };
  const sqlState = sqlStateOf(error);
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

/** Five characters, at least one of them a digit: EPIPE is no answer of PostgreSQL. */
const sqlStatePattern = /^(?=.*\d)[0-9A-Z]{5}$/;

/** The code of PostgreSQL in what pg threw; undefined when there is none. */
export function sqlStateOf(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' && sqlStatePattern.test(code) ? code : undefined;
}

/** The codes with which PostgreSQL ends a session, and that of a session that may stay read-only for good. */
const ending = /^(08|25006|25P0[34]|57P)/;

/** True when the connection may have pending results: discard it. */
export function isBroken(error: unknown): boolean {
  if (!(error instanceof Fault) || error.code !== 'read_model_unavailable') return false;
  const sqlState = sqlStateOf(error.cause);
  return sqlState === undefined || ending.test(sqlState);
}

const undefinedTable = '42P01';

/** Returns the fallback if a table is not there: no service has made the schema yet. */
export async function withoutTable<Result, Fallback>(
  work: Promise<Result>,
  fallback: Fallback,
): Promise<Result | Fallback> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof StatementFailed && error.sqlState === undefinedTable) return fallback;
    throw error;
  }
}

/** True when the session is read-only, and others that began before it may be, too. */
export function isReadOnly(error: unknown): boolean {
  return error instanceof Fault && sqlStateOf(error.cause) === '25006';
}

/** True when the same work may succeed later, without anybody changing it. */
export function isPassing(error: unknown): boolean {
  return error instanceof Fault && error.retryable;
}

/** The watch of the log has said which event is missing. */
export function isDivergence(error: unknown): boolean {
  return error instanceof Fault && error.code === 'event_store_diverged';
}

/** Makes the fault of a wait that was broken off: the caller may try again. */
export function interrupted(): Fault {
  const cause = new Error('the connection of the projection was lost, or the wait broken off');
  return new Fault('read_model_unavailable', { cause });
}
