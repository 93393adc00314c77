import { deepEqual, equal } from 'node:assert/strict';
import { usageBundleFactsMax } from '@sluice/bus';
import { noUsage } from '../../request/usage-report.ts';
import { describe, onTestFinished, test } from 'vitest';
import type { Outcome } from './outcome.ts';
import { PendingRepeats, type RepeatGroup } from './pending-repeats.ts';
import type { Intent } from './record.ts';

const at = new Date('2026-11-27T12:00:00.000Z');
const ended: Outcome = {
  outcome: 'completed',
  finishReason: 'stop',
  usage: noUsage.tokens,
  isEstimated: false,
  isDeclaredFailure: false,
  upstreamId: undefined,
  completedAt: new Date('2026-11-27T12:00:00.001Z'),
};
let made = 0;

function aHit(changes: Partial<Intent> = {}): Intent {
  const generationId = `gen-${String(++made)}`;
  return {
    usageId: `${generationId}/1/1`,
    generationId,
    requestId: `req-${String(made)}`,
    accountId: 'a',
    workspaceId: 'w',
    keyHash: 'k',
    model: 'sim/echo',
    provider: 'sim',
    admittedAt: at,
    streamed: false,
    inputTokens: 0,
    prices: {
      inputTokenAttoUsd: 0n,
      cachedTokenAttoUsd: 0n,
      outputTokenAttoUsd: 0n,
      requestAttoUsd: 0n,
    },
    holdNanoUsd: 0n,
    leaseEpoch: 1n,
    leaseNumbers: [],
    ...changes,
    labels: { responseCacheSourceId: 'gen-source', userAgent: 'app/1', ...changes.labels },
  };
}

function pending() {
  const settled: RepeatGroup[] = [];
  const repeats = new PendingRepeats((group) => settled.push(group));
  onTestFinished(() => repeats.flush());
  const sizes = () => settled.map((group) => 1 + group.repeats.length);
  return { repeats, settled, sizes };
}

describe('repeated answers', () => {
  test('that are alike are told together, each with its own values', () => {
    const { repeats, settled } = pending();
    const labels = { externalUser: 'u', sessionId: 's', trace: '{}', responseCacheSourceId: 'g' };
    const [first, second] = [aHit(), aHit({ labels, traceparent: '00-1' })];
    repeats.add(first, ended);
    repeats.add(second, ended);
    equal(settled.length, 0);
    repeats.flush();
    deepEqual(settled, [
      {
        intent: first,
        ended,
        repeats: [
          {
            generationId: second.generationId,
            requestId: second.requestId,
            sourceId: 'g',
            startedAt: '2026-11-27T12:00:00.000Z',
            endedAt: '2026-11-27T12:00:00.001Z',
            externalUser: 'u',
            sessionId: 's',
            trace: '{}',
            traceparent: '00-1',
          },
        ],
      },
    ]);
    repeats.flush();
    equal(settled.length, 1);
  });

  test.each<[string, Partial<Intent>, Partial<Outcome>]>([
    ['account', { accountId: 'b' }, {}],
    ['workspace', { workspaceId: 'v' }, {}],
    ['key', { keyHash: 'l' }, {}],
    ['model', { model: 'sim/other' }, {}],
    ['provider', { provider: 'other' }, {}],
    ['form', { streamed: true }, {}],
    ['guardrail', { guardrailScopes: ['g:key:k'] }, {}],
    ['endpoint', { labels: { endpointId: 'e' } }, {}],
    ['user', { labels: { userId: 'u' } }, {}],
    ['page', { labels: { httpReferer: 'https://a.example/' } }, {}],
    ['program', { labels: { userAgent: 'app/2' } }, {}],
    ['title', { labels: { appTitle: 'T' } }, {}],
    ['application', { labels: { app: 'T' } }, {}],
    ['category', { labels: { appCategories: ['game'] } }, {}],
    ['detection', { labels: { guardrailInvoked: true } }, {}],
    ['moderation', { labels: { moderationLatencyMs: 3 } }, {}],
    ['kind', { labels: { apiType: 'embeddings' } }, {}],
    ['region', { labels: { dataRegion: 'europe' } }, {}],
    ['destination', { labels: { hasEnd: true } }, {}],
    ['end', {}, { finishReason: 'tool-calls' }],
    ['native end', {}, { nativeFinishReason: 'end_turn' }],
  ])('of another %s are told apart', (_name, changes, outcome) => {
    const { repeats, sizes } = pending();
    repeats.add(aHit(), ended);
    repeats.add(aHit(changes), { ...ended, ...outcome });
    repeats.flush();
    deepEqual(sizes(), [1, 1]);
  });

  test('are settled at once when a bundle is full', () => {
    const { repeats, sizes } = pending();
    for (let count = 0; count < usageBundleFactsMax + 1; count += 1) repeats.add(aHit(), ended);
    deepEqual(sizes(), [usageBundleFactsMax]);
    repeats.flush();
    deepEqual(sizes(), [usageBundleFactsMax, 1]);
  });

  test('wait only so many at a time', () => {
    const { repeats, sizes } = pending();
    for (let count = 0; count <= 1_000; count += 1)
      repeats.add(aHit({ keyHash: `key-${String(count)}` }), ended);
    equal(sizes().length, 1_001);
  });
});
