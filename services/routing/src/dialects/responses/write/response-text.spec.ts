import type { StreamPart } from '@sluice/inference';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { RequestEcho } from '../echo/request-echo.ts';
import { advanceResponse, beginSilent, finalResponse, type ResponseState } from './events.ts';
import { responseText } from './response-text.ts';
import { head, settlement } from '../testing/generation.ts';
import { usualEcho } from '../echo/usual-echo.ts';

const usage = { inputTokens: 3, cachedTokens: 0, outputTokens: 2, reasoningTokens: 0 };
const logprobs = [{ token: 'a', logprob: -1, bytes: [97], top_logprobs: [] }];
const echoes: readonly RequestEcho[] = [
  usualEcho,
  { ...usualEcho, temperature: 0, metadata: { a: '"' }, instructions: 'be brief' },
];

const message = (delta: string, part = 0): readonly StreamPart[] => [
  { type: 'response-start', upstreamId: 'up' },
  { type: 'text-start', part },
  { type: 'text-delta', part, delta },
  { type: 'text-end', part },
  { type: 'finish', reason: 'stop', nativeReason: 'stop', usage },
];

const after = (parts: readonly StreamPart[], echo: RequestEcho = usualEcho): ResponseState =>
  parts.reduce(
    (before, part) => advanceResponse(before, part)[0],
    beginSilent({ ...head, echo }, (prefix, index) => `${prefix}_${String(index)}`),
  );

test('an answer that is one text is written as JSON has it', () => {
  const settlements = fc.constantFrom(
    settlement,
    { ...settlement, serviceTier: 'flex' },
    { ...settlement, usage: undefined },
  );
  const text = fc.string({ unit: 'binary' });
  fc.assert(
    fc.property(
      text,
      fc.nat(3),
      fc.constantFrom(...echoes),
      settlements,
      (said, part, echo, end) => {
        const state = after(message(said, part), echo);
        expect(responseText(state, end)).toBe(JSON.stringify(finalResponse(state, end)));
      },
    ),
  );
});

test.each<[string, readonly StreamPart[]]>([
  [
    'with logprobs',
    message('a').map((part) => (part.type === 'text-delta' ? { ...part, logprobs } : part)),
  ],
  [
    'that is a tool call',
    [
      { type: 'tool-call-start', part: 0, callId: 'c', name: 'f' },
      { type: 'tool-call-delta', part: 0, delta: '{}' },
      { type: 'tool-call-end', part: 0 },
      { type: 'finish', reason: 'tool-calls', nativeReason: undefined, usage },
    ],
  ],
])('an answer %s is written as JSON has it', (_case, parts) => {
  const state = after(parts);
  expect(responseText(state, settlement)).toBe(JSON.stringify(finalResponse(state, settlement)));
});
