import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { chatParts } from './response.ts';
import { chatStep, initialChatState } from './stream.ts';
import { readChatBody } from './wire.ts';

const usages = fc.constantFrom<unknown>(
  undefined,
  null,
  { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 },
  { prompt_tokens: -1, completion_tokens: 2 },
  'none',
);
const maybe = fc.constantFrom<unknown>(undefined, null, '', 'hm');
const messages = fc.record({
  role: fc.constant('assistant'),
  content: fc.constantFrom<unknown>(undefined, null, '', 'Hello', [{ type: 'text', text: 'Hi' }]),
  refusal: maybe,
  reasoning_content: maybe,
  tool_calls: fc.constantFrom<unknown>(undefined, [], [{ id: 'c', function: { name: 'f' } }]),
});
const completions = fc.record({
  id: fc.constantFrom<unknown>('chatcmpl-1', undefined, 7),
  choices: fc.tuple(
    fc.record({
      message: messages,
      finish_reason: fc.constantFrom<unknown>('stop', 'length', 'tool_calls', 'error', undefined),
    }),
  ),
  usage: usages,
  service_tier: fc.constantFrom<unknown>(undefined, null, 'default', 'priority', 3),
});

describe('a whole completion', () => {
  test('has the parts of a stream of one chunk', () => {
    fc.assert(
      fc.property(completions, (body) => {
        const chunk = readChatBody(body, 'message');
        const [state, parts] = chatStep(initialChatState, { type: 'chunk', chunk });
        expect(chatParts(body)).toEqual([...parts, ...chatStep(state, { type: 'done' })[1]]);
      }),
      { numRuns: 1_000 },
    );
  });
});
