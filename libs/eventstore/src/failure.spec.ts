import { equal, match } from 'node:assert/strict';
import {
  AccessDeniedError,
  CancelledError,
  DeadlineExceededError,
  TimeoutError,
  UnavailableError,
  UnknownError,
} from '@eventstore/db-client';
import { Fault } from '@sluice/errors';
import { describe, test } from 'vitest';
import { describeFailure, describeRefusal, isTransient, toFault, Unanswered } from './failure.ts';

type ServiceError = ConstructorParameters<typeof UnknownError>[0];

/** An error of the transport, as it comes from the wire. */
function wire(code: number, details: string): ServiceError & Error {
  const message = `${code}: ${details}`;
  return Object.assign(new Error(message), { code, details }) as unknown as ServiceError & Error;
}

/** An answer in a batch that the client does not know: it shows its text. */
const unrecognized = (text: string) => new UnknownError(undefined, `Could not recognize ${text}`);

describe('passes by itself', () => {
  test.each([
    ['no answer in an attempt', new Unanswered()],
    ['a deadline that is over', new DeadlineExceededError(wire(4, 'Deadline exceeded'))],
    ['a write that was not replicated in time', new TimeoutError(wire(10, 'Operation timed out'))],
    ['the same in a batch', unrecognized('Operation timed out')],
    ['a node in an election', new UnavailableError(wire(14, 'Server Is Not Ready'))],
    ['a node under load', new UnavailableError(wire(14, 'Server Is Too Busy'))],
    ['an election, in a batch', unrecognized('Server Is Not Ready')],
    ['load, in a batch', unrecognized('Server Is Busy')],
    ['heavy load, in a batch', unrecognized('Server Is Too Busy')],
    ['no leader, in a batch', unrecognized('No leader info available in response')],
    ['no leader', new UnknownError(wire(2, 'No leader info available in response'))],
    ['a call that the server ended', new CancelledError(wire(1, 'canceled'))],
    ['a broken connection, as it came', wire(13, 'Received RST_STREAM')],
    ['a cluster of which no member answers', new Error('Failed to discover after 10 attempts.')],
    ['a deadline, as it came', wire(4, 'Deadline exceeded')],
  ])('%s', (_name, error) => {
    equal(isTransient(error), true);
    const { code, retryAfterSeconds } = toFault(error);
    equal(code, 'event_store_unavailable');
    equal(retryAfterSeconds, 1);
  });
});

describe('does not pass by itself', () => {
  test.each([
    ['a conflict', new Fault('revision_conflict'), 'revision_conflict'],
    ['wrong credentials', new AccessDeniedError(wire(16, '')), 'event_store_unavailable'],
    ['a missing right', new AccessDeniedError(wire(7, '')), 'event_store_unavailable'],
    ['what nobody knows', new UnknownError(wire(2, 'Division by zero')), 'event_store_unavailable'],
    ['a bug', new TypeError('x is not a function'), 'event_store_unavailable'],
    ['what is no error', 'Server Is Not Ready', 'event_store_unavailable'],
  ])('%s', (_name, error, code) => {
    equal(isTransient(error), false);
    equal(toFault(error).code, code);
  });
});

test('a refusal names the credentials or the missing right', () => {
  const missing = new AccessDeniedError(wire(7, ''));
  equal(
    describeRefusal('subscribe', missing),
    'The event store denies its user the right to subscribe to $all',
  );
  const wrong = new AccessDeniedError(wire(16, ''));
  equal(describeRefusal('append', wrong), 'The event store refused the credentials');
});

test('a failure tells operators of a missing right, and of a certificate that is not trusted', () => {
  const missing = new AccessDeniedError(wire(7, ''));
  match(describeFailure(missing), /denies its user a right, such as to read \$all; sluice doctor/);
  equal(
    describeFailure(new AccessDeniedError(wire(16, ''))),
    'The event store refused the credentials',
  );
  for (const text of [
    'No connection established. Last error: Error: unable to verify the first certificate',
    'self-signed certificate in certificate chain',
    "Hostname/IP does not match certificate's altnames",
  ])
    match(describeFailure(wire(14, text)), /^The certificate of the event store is not trusted; /);
});

test.each([
  wire(14, '14 UNAVAILABLE: connect ECONNREFUSED 10.1.2.3:2113'),
  new UnknownError(wire(2, 'getaddrinfo ENOTFOUND store.internal')),
  new Error('ENOENT: no such file or directory, open /etc/eventstore/ca.crt'),
])('a client reads no host, port or file: %s', (error) => {
  const fault = toFault(error);
  equal(fault.message, 'The event store is unavailable');
  equal(fault.cause, error);
  equal(describeFailure(error), `The event store failed: ${error.message}`);
});
