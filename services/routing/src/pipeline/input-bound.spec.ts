import type { ContentPart, InferenceRequest } from '@sluice/inference';
import { describe, expect, test } from 'vitest';
import { inputBounds, inputMeasure } from './input-bound.ts';

const url = { type: 'url', url: 'https://a.example/b' } as const;
const request = (content: readonly ContentPart[]): InferenceRequest => ({
  items: [{ type: 'message', role: 'user', content }],
  tools: [],
  toolChoice: { type: 'auto' },
  parallelToolCalls: undefined,
  maxOutputTokens: undefined,
  temperature: undefined,
  topP: undefined,
  stream: false,
});
const margin = 64;
const bounds = (bodyBytes: number, sent: InferenceRequest, contextLength?: number) =>
  inputBounds(inputMeasure(bodyBytes, sent), contextLength);
const tokensMax = (bodyBytes: number, sent: InferenceRequest): number =>
  bounds(bodyBytes, sent, 128_000).inputTokensMax;

describe('the most input tokens that a request can have', () => {
  test('are the bytes of a text', () => {
    expect(tokensMax(500, request([{ type: 'text', text: 'a' }]))).toBe(500 + margin);
  });

  test('count each picture, wherever it lies: its bytes say little', () => {
    const picture = { type: 'image', source: url, detail: 'auto' } as const;
    expect(bounds(500, request([picture, picture]), 128_000)).toEqual({
      inputTokensMax: 500 + margin + 2 * 16_384,
      imagesMax: 2,
    });
  });

  test('are the context of the model where a document or a film is behind a URL', () => {
    const document = { type: 'file', source: url, filename: undefined } as const;
    expect(tokensMax(500, request([document]))).toBe(128_000);
    expect(tokensMax(500, request([{ type: 'video', source: url }]))).toBe(128_000);
    expect(tokensMax(500_000, request([document]))).toBe(500_000 + margin);
    const unknown = bounds(500, request([document]));
    expect(unknown.inputTokensMax).toBe(2_097_152);
  });

  test('are the context of the model where the provider runs tools of its own', () => {
    const tools = [{ type: 'native', tool: { type: 'file_search' } }] as const;
    expect(tokensMax(500, { ...request([]), tools })).toBe(128_000);
  });
});
