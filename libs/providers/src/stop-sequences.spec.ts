import { deepEqual } from 'node:assert/strict';
import type { InferenceRequest } from '@sluice/inference';
import { test } from 'vitest';
import type { Dialect } from './endpoint.ts';
import { wireBody } from './wire-body.ts';

const stop = ['1', '2', '3', '4', '5', '6'];
const request: InferenceRequest = {
  items: [{ type: 'message', role: 'user', content: [{ type: 'text', text: 'hi' }] }],
  tools: [],
  toolChoice: { type: 'auto' },
  parallelToolCalls: undefined,
  maxOutputTokens: 10,
  temperature: undefined,
  topP: undefined,
  stream: false,
  options: { stop },
};

test.each<[Dialect, number]>([
  ['openai-chat', 4],
  ['google-gemini', 5],
  ['anthropic-messages', 6],
])('%s gets the first %i of six stop sequences', (dialect, count) => {
  const body = wireBody(
    { provider: 'p', dialect, baseUrl: 'https://p.example', apiKey: undefined, upstreamModel: 'm' },
    request,
  ) as Record<string, unknown>;
  const { stopSequences } = { ...(body['generationConfig'] as object) } as Record<string, unknown>;
  deepEqual(body['stop'] ?? body['stop_sequences'] ?? stopSequences, stop.slice(0, count));
});
