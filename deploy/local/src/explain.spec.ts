import { equal } from 'node:assert/strict';
import { SetupProblem } from '@sluice/embedded';
import { Fault } from '@sluice/errors';
import { describe, test } from 'vitest';
import { explain } from './explain.ts';

describe('what is said when a start fails', () => {
  test('is the problem as it stands when it is one of the machine', () => {
    const cause = new Error('EADDRINUSE');
    equal(explain(new SetupProblem('Port 1 is in use.', { cause })), 'Port 1 is in use.');
  });

  test('is one line with the causes, and no stack, for anything else', () => {
    const error = new Fault('bus_unavailable', {
      message: 'No message bus\n  at nats://x',
      cause: new Error('refused'),
    });
    equal(
      explain(error),
      'Sluice could not start: No message bus at nats://x (bus_unavailable): refused',
    );
    equal(explain(7), 'Sluice could not start: 7');
  });
});
