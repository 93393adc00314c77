import { deepEqual, equal } from 'node:assert/strict';
import { sampleEndpoint, sampleModel } from '@sluice/catalog/testing';
import { describe, test } from 'vitest';
import { textRequest } from '../testing/text-request.ts';
import { limitWarning, withLoweredLimit } from './lowered-limit.ts';

const candidate = (id: string, outputTokensMax?: number) => ({
  model: sampleModel(id, outputTokensMax === undefined ? {} : { outputTokensMax }),
  endpoint: sampleEndpoint(id, 'openai'),
});
const small = candidate('a/small', 1_000);
const large = candidate('a/large', 8_000);
const unknown = candidate('a/unknown');
const asked = (maxOutputTokens?: number, tokensMax?: number) => ({
  ...textRequest('x'),
  maxOutputTokens,
  ...(tokensMax !== undefined && { options: { topK: 1, reasoning: { tokensMax } } }),
});

describe('an output limit', () => {
  test('stays if one of the candidates gives as many tokens', () => {
    for (const request of [asked(8_000), asked()])
      equal(withLoweredLimit([small, large], request), undefined);
    equal(withLoweredLimit([small, unknown], asked(1_000_000)), undefined);
  });

  test('is lowered to the most that one of them gives', () => {
    deepEqual(withLoweredLimit([small, large], asked(32_000)), {
      request: asked(8_000),
      leftOut: [],
    });
  });

  test('leaves the same share for thoughts, and room for an answer', () => {
    const request = (most: number, tokensMax: number) =>
      withLoweredLimit([large], asked(most, tokensMax))?.request;
    deepEqual(request(32_000, 16_000), asked(8_000, 4_000));
    deepEqual(request(32_000, 31_999), asked(8_000, 7_999));
  });

  test('that was lowered is a warning', () => {
    equal(limitWarning(asked(2), asked(2), 'max_tokens'), undefined);
    const told = 'max_tokens lowered to 1: the model gives no more';
    equal(limitWarning(asked(2), asked(1), 'max_tokens'), told);
  });
});
