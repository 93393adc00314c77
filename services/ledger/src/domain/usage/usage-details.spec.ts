import { deepEqual, equal, ok } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { keptDetails, type UsageDetails } from './usage-details.ts';

const details: UsageDetails = {
  nativeFinishReason: 'stop',
  endpointId: 'endpoint-1',
  latencyMs: 12n,
  userId: 'user_1',
  externalUser: 'customer-7',
  sessionId: '',
  httpReferer: 'https://app.example.com/',
  userAgent: 'app/1',
  attempts: [
    { provider: 'sim', endpointId: 'endpoint-1', errorCode: '', latencyMs: 11n, isByok: false },
  ],
  specialTokens: { cacheWriteTokens: '100' },
  prices: { inputTokenAttoUsd: '10000000000000' },
  serviceTier: 'flex',
  routing: '{"requested":["sim/echo"]}',
  trace: '{"trace_id":"t-1"}',
  appTitle: 'Example chat',
  appCategories: ['cli-agent', 'general-chat'],
  guardrailInvoked: true,
  moderationLatencyMs: 7n,
  apiType: 'embeddings',
  toolType: '',
  responseCacheSourceId: '',
  app: 'Example chat',
};

describe('the details of a fact', () => {
  test('are kept as they are', () => deepEqual(keptDetails(details), details));

  test('are cut off and rid of what a table cannot hold', () => {
    const odd = keptDetails({ ...details, externalUser: `a\0\ud83d${'b'.repeat(600)}` });
    ok(odd.externalUser.startsWith('a\ufffdb'));
    ok(odd.externalUser.length <= 512);
    const attempt = {
      provider: '\0',
      endpointId: '',
      errorCode: '',
      latencyMs: -1n,
      isByok: false,
    };
    const many = keptDetails({ ...details, attempts: Array.from({ length: 99 }, () => attempt) });
    equal(many.attempts.length, 20);
    deepEqual(many.attempts[0], { ...attempt, provider: '', latencyMs: 0n });
  });

  test('keep of special tokens what is a name and a count', () => {
    const odd = { images: '2', 'a b': '1', cacheWriteTokens: '-1', audioInputTokens: '1e3' };
    deepEqual(keptDetails({ ...details, specialTokens: odd }).specialTokens, { images: '2' });
  });

  test('keep how an endpoint was chosen, and what to find it by, only when it is an object of JSON', () => {
    const long = JSON.stringify({ a: 'x'.repeat(70_000) });
    for (const routing of ['', '{', '1', 'null', '[]', '{"a":"\\u0000"}', '{"\\ud83d":1}', long]) {
      equal(keptDetails({ ...details, routing }).routing, '');
      equal(keptDetails({ ...details, trace: routing }).trace, '');
    }
  });

  test('say nothing of a time that cannot be', () => {
    for (const latencyMs of [undefined, -1n, 10n ** 18n])
      equal(keptDetails({ ...details, latencyMs }).latencyMs, undefined);
  });
});
