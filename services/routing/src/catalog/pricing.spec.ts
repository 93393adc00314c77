import { deepEqual, throws } from 'node:assert/strict';
import { test } from 'vitest';
import { pricesOf } from './pricing.ts';

test('every price of the catalogue is read exactly', () => {
  const pricing = {
    prompt: '0.000000000000000001',
    completion: '0.000000000000000002',
    request: '0.000000000000000003',
    input_cache_read: '0.000000000000000004',
    input_cache_write: '0.000000000000000005',
    input_cache_write_1h: '0.000000000000000006',
    internal_reasoning: '0.000000000000000007',
    image: '0.000000000000000008',
    image_token: '0.000000000000000009',
    image_output: '0.00000000000000001',
    audio: '0.000000000000000011',
    input_audio_cache: '0.000000000000000012',
    audio_output: '123456789.000000000000000013',
  };
  deepEqual(pricesOf(pricing), {
    inputTokenAttoUsd: 1n,
    outputTokenAttoUsd: 2n,
    requestAttoUsd: 3n,
    cachedTokenAttoUsd: 4n,
    cacheWriteTokenAttoUsd: 5n,
    cacheWriteHourTokenAttoUsd: 6n,
    reasoningTokenAttoUsd: 7n,
    imageAttoUsd: 8n,
    imageInputTokenAttoUsd: 9n,
    imageOutputTokenAttoUsd: 10n,
    audioInputTokenAttoUsd: 11n,
    cachedAudioTokenAttoUsd: 12n,
    audioOutputTokenAttoUsd: 123_456_789_000_000_000_000_000_013n,
  });
});

test('what the catalogue leaves out is left to the rule, and what is no decimal is refused by name', () => {
  deepEqual(pricesOf({ prompt: '1', completion: '2' }), {
    inputTokenAttoUsd: 10n ** 18n,
    cachedTokenAttoUsd: 10n ** 18n,
    outputTokenAttoUsd: 2n * 10n ** 18n,
    requestAttoUsd: 0n,
  });
  throws(() => pricesOf({ prompt: '1', completion: '2', audio: '1e-7' }), /^TypeError: audio must/);
});
