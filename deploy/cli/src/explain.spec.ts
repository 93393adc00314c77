import { equal } from 'node:assert/strict';
import { Fault } from '@sluice/errors';
import { PoisonedEvent, RebuildRefused } from '@sluice/read-model';
import { describe, test } from 'vitest';
import { explain } from './explain.ts';

describe('what went wrong', () => {
  test('is said as it is where it is a sentence already', () =>
    equal(explain(new RebuildRefused('Another one runs.')), 'Another one runs.'));

  test('names the event that cannot be applied, and why', () => {
    const event = {
      id: 'e-1',
      type: 'WorkspaceCreated',
      stream: 'workspace-1',
      revision: 0n,
      position: { commit: 1n, prepare: 1n },
      data: {},
      metadata: {},
      recordedAt: new Date(0),
    };
    equal(
      explain(new PoisonedEvent(event, new TypeError('no such field'))),
      'Event e-1 (WorkspaceCreated) of workspace-1 cannot be applied: no such field.',
    );
  });

  test('names the server that is away, in one line', () => {
    const cause = Object.assign(new Error('connect ECONNREFUSED\n 127.0.0.1:1'), {});
    equal(
      explain(new Fault('read_model_unavailable', { cause })),
      'PostgreSQL cannot be used now: connect ECONNREFUSED 127.0.0.1:1.',
    );
    equal(
      explain(new Fault('event_store_unavailable', { message: 'It is away', cause })),
      'The event store cannot be used now: The event store failed: connect ECONNREFUSED 127.0.0.1:1.',
    );
    equal(
      explain(new Fault('event_store_unavailable', { message: 'It is away.' })),
      'The event store cannot be used now: It is away.',
    );
    const several = Object.assign(new AggregateError([]), { code: 'ECONNREFUSED' });
    equal(
      explain(new Fault('read_model_unavailable', { cause: several })),
      'PostgreSQL cannot be used now: ECONNREFUSED.',
    );
    equal(
      explain(new Fault('event_store_unavailable', { message: 'It said nothing.' })),
      'The event store cannot be used now: It said nothing.',
    );
  });

  test('names the service that is away, and says why one refuses', () => {
    const cause = new Error('14 UNAVAILABLE: No connection established');
    equal(
      explain(new Fault('unavailable', { cause })),
      'A service cannot be reached now: 14 UNAVAILABLE: No connection established.',
    );
    equal(
      explain(new Fault('conflict', { message: 'The grant was made with another amount' })),
      'This is refused: The grant was made with another amount.',
    );
    const issues = [{ path: 'grant_id', message: 'must be an id' }];
    equal(
      explain(new Fault('invalid_request', { metadata: { issues } })),
      'This is refused: grant_id must be an id.',
    );
  });

  test('is told also where nobody foresaw it', () => {
    equal(explain(new RangeError('what')), 'This failed: what.');
    equal(explain('what'), 'This failed: nobody knows why.');
    equal(
      explain(new Fault('revision_conflict', { message: 'Moved' })),
      'This failed: Moved (revision_conflict).',
    );
  });
});
