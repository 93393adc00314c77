import { deepEqual, equal, match } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { logOf } from './testing/a-log.ts';
import { auditLog } from './audit-log.ts';
import type { LogEvent } from './read-log.ts';

const of = (stream: string, commandId: string) => ({ stream, commandId, type: 'X', data: {} });
const log = logOf([of('a', 'c1'), of('b', 'c2'), of('a', 'c3'), of('a', 'c3')]);
const changed = (index: number, changes: Partial<LogEvent>) =>
  log.map((event, at) => (at === index ? { ...event, ...changes } : event));

function finding(pattern: RegExp, events: readonly LogEvent[]): void {
  const found = auditLog(events);
  equal(found.length, 1, found.join('\n'));
  match(found[0] ?? '', pattern);
}

describe('a log', () => {
  test('is well when revisions, positions, events and commands are in order', () => {
    deepEqual(auditLog(log), []);
  });

  test('is not when an event of a stream is missing', () => {
    finding(/a: revision 1 where 0 belongs/, log.slice(1, 3));
  });

  test('is not when an event is there twice', () => {
    finding(/event event-0 is in the log twice/, changed(1, { id: 'event-0' }));
  });

  test('is not when a position is not behind the one before it', () => {
    finding(
      /b@0: its position is not behind/,
      changed(1, { position: { commit: 100n, prepare: 100n } }),
    );
  });

  test('is not when a command has two appends', () => {
    finding(/command c1 was carried out twice: a@0 and b@0/, logOf([of('a', 'c1'), of('b', 'c1')]));
    finding(
      /command c1 was carried out twice: a@0 and a@2/,
      logOf([of('a', 'c1'), of('a', 'c2'), of('a', 'c1')]),
    );
  });
});
