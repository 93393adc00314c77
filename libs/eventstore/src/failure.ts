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

/** An attempt ended without an answer. The append may have been written. */
export class Unanswered extends Error {
  constructor() {
    super('The event store did not answer in time');
    this.name = 'Unanswered';
  }
}

/** No data arrived in time, by our timeout or by the deadline of the call. */
export function isUnanswered(error: unknown): boolean {
  return error instanceof Unanswered || error instanceof DeadlineExceededError;
}

/**
 * CANCELLED, DEADLINE_EXCEEDED, ABORTED (the write was not replicated in time), INTERNAL (a connection
 * that breaks in the middle of a call), UNAVAILABLE.
 */
const transientStatus: ReadonlySet<unknown> = new Set([1, 4, 10, 13, 14]);
/**
 * A node says so during an election or under load, with the status UNKNOWN or none. The client says so when
 * no member of the cluster answers.
 */
const transientText =
  /Server Is (?:Not Ready|Busy|Too Busy)|No leader info available|Operation timed out|Failed to discover/i;
const retryAfterSeconds = 1;

/** The same call may succeed in a moment: the node restarts, or another one leads now. */
export function isTransient(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (isUnanswered(error)) return true;
  if (error instanceof UnavailableError || error instanceof CancelledError) return true;
  if (error instanceof TimeoutError || error instanceof NotLeaderError) return true;
  // Some of the client's errors are those of its transport, as they came.
  if ('code' in error && transientStatus.has(error.code)) return true;
  return transientText.test(error.message);
}

/** The server has said so itself: a conflict, a deleted stream, an append that is too large. */
export function isAnswer(error: unknown): boolean {
  return error instanceof Fault || (error instanceof Error && 'type' in error);
}

/** The credentials are wrong, or the user lacks a right. */
export function isRefused(error: unknown): error is AccessDeniedError {
  return error instanceof AccessDeniedError;
}

/** The gRPC status of a user that is known and may not do it. */
const permissionDenied = 7;
const rights = {
  read: 'to read streams',
  readAll: 'to read $all',
  append: 'to append events',
  subscribe: 'to subscribe to $all',
} as const;

/** Names the right that is missing, or the credentials. */
export function describeRefusal(asked: keyof typeof rights, error: AccessDeniedError): string {
  if (Number(error.code) !== permissionDenied) return describeFailure(error);
  return `The event store denies its user the right ${rights[asked]}`;
}

export function toFault(error: unknown): Fault {
  if (error instanceof Fault) return error;
  if (error instanceof WrongExpectedVersionError)
    return new Fault('revision_conflict', { cause: error });
  if (error instanceof StreamDeletedError) return new Fault('stream_gone', { cause: error });
  if (error instanceof MaxAppendSizeExceededError)
    return new Fault('payload_too_large', { cause: error });
  const message = publicText(error);
  return new Fault('event_store_unavailable', { message, retryAfterSeconds, cause: error });
}

/** A sentence for API clients: it names no host, port or file. The cause of the fault has the details. */
function publicText(error: unknown): string {
  if (isRefused(error)) return 'The event store refused the credentials';
  if (isUnanswered(error)) return 'The event store did not answer in time';
  return 'The event store is unavailable';
}

/** The transport's words for a certificate that does not lead to a known authority, or that names another host. */
const untrustedText =
  /certificate|self-signed|CERT_|UNABLE_TO_(?:VERIFY|GET)|Hostname\/IP does not match/i;

/** A sentence for operators: in readiness and logs. The client puts no secret in its messages. */
export function describeFailure(error: unknown): string {
  const text = error instanceof Error ? error.message : '';
  if (isRefused(error) && Number(error.code) === permissionDenied)
    return 'The event store denies its user a right, such as to read $all; sluice doctor names it';
  if (untrustedText.test(text))
    return `The certificate of the event store is not trusted; tlsCAFile in its URL names the authority (${text})`;
  if (isRefused(error) || isUnanswered(error) || text === '') return publicText(error);
  return `The event store failed: ${text}`;
}
