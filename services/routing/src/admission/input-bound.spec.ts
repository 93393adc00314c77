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
const bounds = (sent: InferenceRequest, contextLength?: number, addsFraming = false) =>
  inputBounds(inputMeasure(sent), { contextLength, addsFraming });
const tokensMax = (sent: InferenceRequest): number => bounds(sent, 128_000).inputTokensMax;

describe('the most input tokens that a request can have', () => {
  test('are the bytes of its texts, however long the body is that they came in', () => {
    expect(tokensMax(request([{ type: 'text', text: 'hello' }]))).toBe(5);
    expect(tokensMax(request([{ type: 'text', text: 'é' }]))).toBe(2);
    const two = request([
      { type: 'text', text: 'ab' },
      { type: 'text', text: 'c' },
    ]);
    expect(tokensMax(two)).toBe(3);
  });

  test('count a predicted answer, which some servers read as input', () => {
    const prediction = { type: 'content', content: 'hello' };
    const sent = { ...request([]), options: { prediction } };
    expect(tokensMax(sent) - tokensMax(request([]))).toBe(JSON.stringify(prediction).length);
  });

  test('have room for what a server puts around them, unless it counts the texts alone', () => {
    const sent = request([{ type: 'text', text: 'hello' }]);
    const framed = bounds(sent, 128_000, true).inputTokensMax;
    expect(framed).toBeGreaterThanOrEqual(5 + 70);
    expect(framed).toBeLessThan(5 + 150);
    const tools = [
      {
        type: 'function',
        name: 'f',
        description: undefined,
        parameters: {},
        strict: undefined,
      },
    ] as const;
    const offering = bounds({ ...sent, tools }, 128_000, true).inputTokensMax;
    expect(offering).toBeGreaterThan(framed + 346);
  });

  test('count each picture, wherever it lies: its bytes say little', () => {
    const picture = { type: 'image', source: url, detail: 'auto' } as const;
    const inline = {
      ...picture,
      source: { type: 'data', mediaType: 'image/png', base64: 'a'.repeat(100_000) },
    } as const;
    expect(bounds(request([picture, inline]), 128_000)).toEqual({
      inputTokensMax: 2 * 16_384,
      imagesMax: 2,
    });
  });

  test('count a picture that the model made as one, not by its bytes', () => {
    const item = { type: 'image_generation_call', result: 'a'.repeat(100_000), prompt: 'a cat' };
    const source = { type: 'data', mediaType: 'image/png', base64: item.result } as const;
    const picture = { type: 'image', source, detail: 'auto' } as const;
    const native = { type: 'native', item, text: '', picture } as const;
    const most = tokensMax({ ...request([]), items: [native] });
    expect(most).toBeGreaterThanOrEqual(16_384 + 'a cat'.length);
    expect(most).toBeLessThan(17_000);
    const { picture: _none, ...unknown } = native;
    expect(tokensMax({ ...request([]), items: [unknown] })).toBe(128_000);
  });

  test('are the context of the model where a document or a film is behind a URL', () => {
    const document = { type: 'file', source: url, filename: undefined } as const;
    expect(tokensMax(request([document]))).toBe(128_000);
    expect(tokensMax(request([{ type: 'video', source: url }]))).toBe(128_000);
    const long = { type: 'text', text: 'a'.repeat(500_000) } as const;
    expect(tokensMax(request([document, long]))).toBe(500_000);
    expect(bounds(request([document])).inputTokensMax).toBe(2_097_152);
  });

  test('have room for the note that stands for a user who says nothing', () => {
    for (const said of ['', ' \n']) {
      const measure = inputMeasure(request([{ type: 'text', text: said }]));
      expect(measure.tokensMax).toBeGreaterThanOrEqual('(The user says nothing.)'.length);
    }
  });

  test('are the context of the model, before and after each call of a tool that the provider runs', () => {
    const native = (type: string) => [{ type: 'native', tool: { type } }] as const;
    const searching = { ...request([]), tools: native('file_search') };
    expect(tokensMax(searching)).toBe(4 * 128_000);
    expect(tokensMax({ ...searching, options: { nativeCallsMax: 1 } })).toBe(2 * 128_000);
    expect(tokensMax({ ...request([]), tools: native('apply_patch') })).toBe(128_000);
    // Anthropic documents what its own tools add, so that they do not hold a whole context.
    const bash = tokensMax({ ...request([]), tools: native('bash_20250124') });
    expect(bash - tokensMax(request([]))).toBeGreaterThan(4_096);
    expect(bash).toBeLessThan(8_192);
  });

  test('are a context for each input behind a URL that becomes a vector', () => {
    const document = { type: 'file', source: url, filename: undefined } as const;
    const message = { type: 'message', role: 'user', content: [document] } as const;
    const sent = {
      ...request([]),
      items: [message, message],
      embedding: { dimensions: undefined, inputType: undefined },
    };
    expect(tokensMax(sent)).toBe(2 * 128_000);
  });
});
