import { deepEqual } from 'node:assert/strict';
import { describe, test } from 'vitest';
import type { RecordedEvent } from '@sluice/es';
import type { Command, Outcome, Sent } from '../crash/command.ts';
import { tally } from './tally.ts';

let commit = 0n;

function recorded(type: string, data: object, stream = 'apiKey-h1'): RecordedEvent {
  commit++;
  return {
    id: String(commit),
    type,
    stream,
    revision: commit,
    position: { commit, prepare: commit },
    data,
    metadata: {},
    recordedAt: new Date(0),
  };
}

function sent(command: Command, outcome: Outcome): Sent {
  return { command, outcome, attempts: 1, status: '', requestId: '', hash: 'h1' };
}

const issue = { type: 'IssueKey', name: 'a' } as const;
const issued = () => recorded('ApiKeyIssued', { name: 'a' });
const unchanged = { limitNanoUsd: undefined, disabled: undefined };
const rename = { type: 'ChangeKey', hash: 'h1', name: 'b', ...unchanged } as const;
const remove = { type: 'DeleteKey', hash: 'h1' } as const;

describe('a tally', () => {
  test.each<readonly [string, readonly Sent[], readonly RecordedEvent[], object]>([
    ['a command that is in the log once', [sent(issue, 'acknowledged')], [issued()], {}],
    [
      'one that was acknowledged and is not',
      [sent(issue, 'acknowledged')],
      [],
      { lost: ['issued a'] },
    ],
    ['one without an outcome that is not', [sent(issue, 'unknown')], [], {}],
    ['one without an outcome that is', [sent(issue, 'unknown')], [issued()], {}],
    ['one that is twice', [sent(issue, 'unknown')], [issued(), issued()], { twice: ['issued a'] }],
    ['a rename that is lost', [sent(rename, 'acknowledged')], [issued()], { lost: ['renamed b'] }],
    [
      'a deletion of another key',
      [sent(remove, 'acknowledged')],
      [recorded('ApiKeyDeleted', {}, 'apiKey-h2')],
      { lost: ['deleted h1'] },
    ],
    [
      'a deletion that was asked for twice, and acknowledged once',
      [sent(remove, 'unknown'), sent(remove, 'acknowledged')],
      [recorded('ApiKeyDeleted', {})],
      {},
    ],
  ])('of %s', (_, commands, log, expected) => {
    deepEqual(tally(commands, log), { lost: [], twice: [], ...expected });
  });
});
