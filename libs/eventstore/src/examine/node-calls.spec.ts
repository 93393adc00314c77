import { deepEqual } from 'node:assert/strict';
import { status } from '@grpc/grpc-js';
import { test } from 'vitest';
import { leaderOf, refusalOf } from './node-calls.ts';

test.for([
  [status.UNAUTHENTICATED, { kind: 'wrong_credentials' }],
  [status.PERMISSION_DENIED, { kind: 'no_right' }],
  [status.UNAVAILABLE, { kind: 'failed', reason: 'Server Is Not Ready' }],
  [status.ABORTED, { kind: 'failed', reason: 'Server Is Not Ready' }],
] as const)('a call that ends with status %s is told apart', ([code, answer]) =>
  deepEqual(refusalOf({ code, details: 'Server Is Not Ready' }), answer),
);

test('only a node that lives leads', () => {
  const dead = { host: 'a', port: 1, state: 'Leader', isAlive: false };
  const leader = { ...dead, host: 'b', isAlive: true };
  deepEqual(leaderOf([dead, { ...leader, state: 'Follower' }, leader]), leader);
  deepEqual(leaderOf([dead]), undefined);
});
