import type { StreamPart } from '@sluice/inference';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { advanceResponse, beginUnheard, finalResponse, type ResponseState } from './events.ts';
import type { RequestEcho } from '../../request/call.ts';
import { responseText } from './response-text.ts';
import { head, settlement } from './testing/generation.ts';
import { usualEcho } from './usual-echo.ts';
import { wholeMessage } from './whole-message.ts';

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

const itemId = (prefix: string, index: number): string => `${prefix}_${String(index)}`;

const opening = (echo: RequestEcho = usualEcho): ResponseState =>
  beginUnheard({ ...head, echo }, itemId);

const stepwise = (state: ResponseState, parts: readonly StreamPart[]): ResponseState =>
  parts.reduce((before, part) => advanceResponse(before, part)[0], state);

describe('a whole answer that is one text', () => {
  test('is what its parts make one after the other, also in JSON', () => {
    const settlements = fc.constantFrom(
      settlement,
      { ...settlement, serviceTier: 'flex' },
      { ...settlement, usage: undefined },
    );
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary' }),
        fc.nat(3),
        fc.constantFrom(...echoes),
        settlements,
        (text, part, echo, settled) => {
          const parts = message(text, part);
          const state = wholeMessage(opening(echo), parts);
          expect(state).toEqual(stepwise(opening(echo), parts));
          if (!state) return;
          expect(responseText(state, settled)).toBe(JSON.stringify(finalResponse(state, settled)));
        },
      ),
    );
  });

  test('has the logprobs of its tokens', () => {
    const parts = message('a').map((part) =>
      part.type === 'text-delta' ? { ...part, logprobs } : part,
    );
    const state = stepwise(opening(), parts);
    expect(wholeMessage(opening(), parts)).toEqual(state);
    expect(responseText(state, settlement)).toBe(JSON.stringify(finalResponse(state, settlement)));
  });
});

describe('no such answer', () => {
  const [start, begin, delta, end, finish] = message('a');
  const all = [start, begin, delta, end, finish].filter((part) => part !== undefined);

  test('has anything but a text, or another end', () => {
    const call: StreamPart = { type: 'tool-call-start', part: 0, callId: 'c', name: 'f' };
    const cut = { ...finish, reason: 'length' } as StreamPart;
    for (const place of all.keys()) {
      expect(wholeMessage(opening(), all.toSpliced(place, 1))).toBeUndefined();
      expect(wholeMessage(opening(), all.with(place, call))).toBeUndefined();
    }
    expect(wholeMessage(opening(), all.with(4, cut))).toBeUndefined();
    expect(wholeMessage(opening(), [...all, call])).toBeUndefined();
  });

  test('comes after something else', () => {
    expect(wholeMessage(stepwise(opening(), all), all)).toBeUndefined();
    expect(wholeMessage({ ...opening(), isHeard: true }, all)).toBeUndefined();
  });
});

test('what is more than a text is written as JSON has it', () => {
  const parts: readonly StreamPart[] = [
    { type: 'tool-call-start', part: 0, callId: 'c', name: 'f' },
    { type: 'tool-call-delta', part: 0, delta: '{}' },
    { type: 'tool-call-end', part: 0 },
    { type: 'finish', reason: 'tool-calls', nativeReason: undefined, usage },
  ];
  const state = stepwise(opening(), parts);
  expect(responseText(state, settlement)).toBe(JSON.stringify(finalResponse(state, settlement)));
});
