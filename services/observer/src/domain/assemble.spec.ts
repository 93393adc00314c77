import { deepEqual, equal, ok } from 'node:assert/strict';
import type { UsageFact } from '@sluice/usage-facts';
import { aFact, aToolFact } from '@sluice/usage-facts/testing';
import { describe, test } from 'vitest';
import { assemble, isComplete } from './assemble.ts';
import type { FailedTurn, Part } from './part.ts';

const id = 'gen-loop';
const fact = (step: string, changes: Partial<UsageFact> = {}): Part => ({
  kind: 'fact',
  fact: aFact({ usageId: `${id}/${step}`, generationId: id, hasEnd: true, ...changes }),
});
const tool = (number: number): Part => ({
  kind: 'fact',
  fact: aToolFact({ usageId: `${id}/tool/${number}`, generationId: id, hasEnd: true }),
});
const event = {
  stage: 'input',
  guardrailId: 'guardrail-1',
  guardrailScope: 'workspace',
  filter: 'email',
  label: '[EMAIL]',
  action: 'redact',
  rule: 'email',
  place: 'input.0',
  count: 2,
};
const end = (turns: number): Part => ({
  kind: 'end',
  end: { turns, endedAtMs: 0, guardrailEvents: [event], guardrailEventsOmitted: 1 },
});
const failure = (turn: number, changes: Partial<FailedTurn> = {}): Part => ({
  kind: 'failure',
  failure: {
    turn,
    generationId: id,
    requestId: 'req-1',
    accountId: 'acct_1',
    workspaceId: 'ws_1',
    keyHash: 'key1',
    model: 'sim/small',
    outcome: 'failed',
    errorCode: 'upstream_error',
    streamed: false,
    externalUser: 'user-1',
    sessionId: 'session-1',
    userId: 'member-1',
    trace: '{"trace_id":"trace-1"}',
    traceparent: '',
    httpReferer: '',
    userAgent: 'agent/1',
    appTitle: '',
    apiType: '',
    guardrailInvoked: true,
    hasEnd: false,
    moderationLatencyMs: 12,
    attempts: [
      { provider: 'first', errorCode: 'timeout', latencyMs: 100 },
      { provider: 'second', errorCode: 'upstream_error', latencyMs: 200 },
    ],
    admittedAt: '2026-11-18T12:00:05.000Z',
    completedAt: '2026-11-18T12:00:06.000Z',
    ...changes,
  },
});

describe('a generation', () => {
  test('is complete with one fact without an end, or a failure of its first turn', () => {
    ok(isComplete([fact('1/1', { hasEnd: false })]));
    ok(isComplete([failure(1)]));
  });

  test('that failed waits for its end if one is reported', () => {
    const failed = failure(1, { hasEnd: true });
    ok(!isComplete([failed]));
    ok(isComplete([end(1), failed]));
  });

  test('has the events of guardrails, served or failed, and none without its end', () => {
    for (const part of [fact('1/1'), failure(1, { hasEnd: true })]) {
      const made = assemble([part, end(1)]);
      deepEqual([made?.guardrailEvents, made?.guardrailEventsOmitted], [[event], 1]);
      deepEqual(assemble([part])?.guardrailEvents, []);
    }
  });

  test('of several turns is complete with its end and a part for each turn, in any order', () => {
    const parts = [fact('1/2'), end(3), fact('1/1'), tool(1), fact('1/3')];
    ok(isComplete(parts));
    for (const left of [0, 1, 2, 4]) ok(!isComplete(parts.toSpliced(left, 1)), String(left));
    ok(isComplete([fact('1/1'), failure(2), end(2)]));
  });

  test('has its turns and calls in their order, and the sums of their tokens and costs', () => {
    const made = assemble([
      tool(2),
      fact('1/2', { inputTokens: 30n, costNanoUsd: 7n, finishReason: 'stop', model: 'sim/last' }),
      tool(1),
      end(2),
      fact('1/1', { inputTokens: 10n, costNanoUsd: 5n, finishReason: 'tool-calls' }),
    ]);
    deepEqual(
      made?.turns.map(({ turn }) => turn),
      [1, 2],
    );
    deepEqual(
      made?.toolCalls.map(({ number }) => number),
      [1, 2],
    );
    equal(made?.tokens.input, 40);
    equal(made?.costNanoUsd, 12n + 2n * aToolFact().costNanoUsd);
    deepEqual([made?.model, made?.finishReason], ['sim/last', 'stop']);
  });

  test('has one turn of two attempts, of which the last counts, and the cost of both', () => {
    const made = assemble([
      fact('2/1', { provider: 'second', costNanoUsd: 3n }),
      fact('1/1', { provider: 'first', outcome: 'failed', costNanoUsd: 2n }),
    ]);
    deepEqual(
      made?.turns.map(({ provider }) => provider),
      ['second'],
    );
    equal(made?.costNanoUsd, 5n);
  });

  test('whose last turn failed ends with it, and keeps what was served before', () => {
    const made = assemble([fact('1/1', { finishReason: 'tool-calls' }), failure(2), end(2)]);
    deepEqual([made?.outcome, made?.errorCode], ['failed', 'upstream_error']);
    equal(made?.completedAtMs, Date.parse('2026-11-18T12:00:06.000Z'));
    equal(made?.tokens.input, 10);
    deepEqual(
      made?.turns.map(({ outcome }) => outcome),
      ['completed', 'failed'],
    );
  });

  test('that failed has its trace, its labels, and one turn with its attempts', () => {
    const made = assemble([failure(1)]);
    deepEqual(made?.trace, { trace_id: 'trace-1' });
    deepEqual(
      [made?.userId, made?.userAgent, made?.guardrailInvoked, made?.moderationLatencyMs],
      ['member-1', 'agent/1', true, 12],
    );
    deepEqual(
      made?.turns.map(({ turn, outcome, attempts }) => [turn, outcome, attempts.length]),
      [[1, 'failed', 2]],
    );
    equal(made?.provider, 'second');
  });

  test('is of the region that served it', () => {
    equal(assemble([fact('1/1')])?.region, 'global');
    equal(assemble([fact('1/1', { dataRegion: 'europe' })])?.region, 'europe');
  });

  test('without a fact and without a failure is none', () => {
    equal(assemble([end(1)]), undefined);
  });
});
