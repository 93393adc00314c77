import {
  AccessDeniedError,
  CancelledError,
  DeadlineExceededError,
  MaxAppendSizeExceededError,
  NotLeaderError,
  StreamDeletedError,
  TimeoutError,
  UnavailableError,
  WrongExpectedVersionError,
} from '@eventstore/db-client';
import { Fault } from '@sluice/errors';

/** CANCELLED, ABORTED, INTERNAL (a connection that breaks in the middle of a call), UNAVAILABLE. */
const transientStatus: ReadonlySet<unknown> = new Set([1, 10, 13, 14]);

/** The same call may succeed in a moment: the node restarts, or another one leads now. */
export function isTransient(error: unknown): boolean {
  if (error instanceof UnavailableError || error instanceof CancelledError) return true;
  if (error instanceof TimeoutError || error instanceof NotLeaderError) return true;
  // Some of the client's errors are those of its transport, as they came.
  return error instanceof Error && 'code' in error && transientStatus.has(error.code);
}

export function toFault(error: unknown): Fault {
  if (error instanceof Fault) return error;
  if (error instanceof WrongExpectedVersionError)
    return new Fault('revision_conflict', { cause: error });
  if (error instanceof StreamDeletedError)
    return new Fault('conflict', { message: 'The stream was deleted', cause: error });
  if (error instanceof MaxAppendSizeExceededError)
    return new Fault('payload_too_large', { cause: error });
  return new Fault('event_store_unavailable', { message: textOf(error), cause: error });
}

function textOf(error: unknown): string {
  if (error instanceof AccessDeniedError) return 'The event store refused the credentials';
  if (error instanceof DeadlineExceededError) return 'The event store did not answer in time';
  const text = error instanceof Error ? error.message : '';
  return text === '' ? 'The event store is unavailable' : `The event store failed: ${text}`;
}
