import { deepEqual, equal } from 'node:assert/strict';
import type { StreamPart } from '@sluice/inference';
import { test } from 'vitest';
import { tellsSecrets, withoutKey } from './secrets.ts';

const endpoint = {
  provider: 'openai',
  dialect: 'openai-chat' as const,
  baseUrl: 'https://api.example.com/v1',
  apiKey: { reveal: () => 'sk-own-key' },
  upstreamModel: 'm',
};

test('a text with the key or the host of the upstream counts as secret', () => {
  equal(tellsSecrets(endpoint, 'Incorrect API key provided: sk-own-key.'), true);
  equal(tellsSecrets(endpoint, 'See https://api.example.com/errors'), true);
  equal(tellsSecrets(endpoint, 'Rate limit reached'), false);
  equal(tellsSecrets({ ...endpoint, apiKey: undefined }, 'sk-own-key'), false);
});

test('parts that are stored lose values that contain the key', () => {
  const finish = { type: 'finish', reason: 'stop', usage: undefined } as const;
  const pairs: readonly (readonly [StreamPart, StreamPart])[] = [
    [
      { type: 'response-start', upstreamId: 'resp_sk-own-key' },
      { type: 'response-start', upstreamId: undefined },
    ],
    [
      { type: 'unread-usage', raw: '{"for":"sk-own-key"}' },
      { type: 'unread-usage', raw: 'left out: it has a key in it' },
    ],
    [
      { ...finish, nativeReason: 'sk-own-key' },
      { ...finish, nativeReason: undefined },
    ],
  ];
  for (const [part, shown] of pairs) deepEqual(withoutKey(endpoint, part), shown);
});

test('parts without the key pass unchanged', () => {
  const part: StreamPart = { type: 'response-start', upstreamId: 'resp_1' };
  equal(withoutKey(endpoint, part), part);
  equal(withoutKey({ ...endpoint, apiKey: { reveal: () => '' } }, part), part);
});
