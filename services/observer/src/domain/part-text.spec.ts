import { deepEqual } from 'node:assert/strict';
import { test } from 'vitest';
import { assemble } from './assemble.ts';
import { readPart } from './part-text.ts';

test('a failure that an earlier release stored is read', () => {
  const failure = {
    turn: 1,
    generationId: 'gen-1',
    requestId: 'req-1',
    accountId: 'acct_1',
    workspaceId: 'ws_1',
    keyHash: 'key1',
    model: 'sim/small',
    outcome: 'failed',
    errorCode: 'timeout',
    streamed: false,
    externalUser: '',
    sessionId: '',
    admittedAt: '2026-11-18T12:00:05.000Z',
    completedAt: '2026-11-18T12:00:06.000Z',
  };
  const made = assemble([readPart(JSON.stringify({ failure }))]);
  deepEqual([made?.errorCode, made?.trace, made?.turns[0]?.attempts], ['timeout', {}, []]);
});
