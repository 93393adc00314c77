import type { ContentPart, InferenceRequest } from '@sluice/inference';
import { describe, expect, test } from 'vitest';
import { inputTokensBound } from './input-bound.ts';

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
const model = { contextLength: 128_000 };

describe('the most input tokens that a request can have', () => {
  test('are the bytes of a text', () => {
    expect(inputTokensBound(500, request([{ type: 'text', text: 'a' }]), model)).toBe(500);
  });

  test('count each picture, wherever it lies: its bytes say little', () => {
    const picture = { type: 'image', source: url, detail: 'auto' } as const;
    expect(inputTokensBound(500, request([picture, picture]), model)).toBe(500 + 2 * 16_384);
  });

  test('are the context of the model where a document or a film is behind a URL', () => {
    const document = { type: 'file', source: url, filename: undefined } as const;
    expect(inputTokensBound(500, request([document]), model)).toBe(128_000);
    expect(inputTokensBound(500, request([{ type: 'video', source: url }]), model)).toBe(128_000);
    expect(inputTokensBound(500_000, request([document]), model)).toBe(500_000);
    expect(inputTokensBound(500, request([document]), { contextLength: undefined })).toBe(
      2_097_152,
    );
  });

  test('are the context of the model where the provider runs tools of its own', () => {
    const tools = [{ type: 'native', tool: { type: 'file_search' } }] as const;
    expect(inputTokensBound(500, { ...request([]), tools }, model)).toBe(128_000);
  });
});
