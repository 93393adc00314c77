import type { StreamPart } from '@sluice/inference';
import { describe, expect, test } from 'vitest';
import { EventWriter } from './event-writer.ts';
import { ObjectWriter } from './object-writer.ts';
import { accepted, message } from '../testing/request-body.ts';
import { writeStream, writeWhole } from '../../testing/write-answer.ts';
import { usualEcho } from '../testing/generation.ts';

const head = {
  name: '1',
  model: 'm',
  createdAt: 1_760_000_000,
  inputTokens: 7,
  dropsThinking: false,
};
const request = { echo: usualEcho, tellsEncrypted: true, tellsSummaries: true };
const finish: StreamPart = {
  type: 'finish',
  reason: 'stop',
  nativeReason: undefined,
  usage: undefined,
};
const thought = (...parts: readonly StreamPart[]): readonly StreamPart[] => [
  { type: 'reasoning-start', part: 0 },
  ...parts,
  {
    type: 'reasoning-end',
    part: 0,
    replay: { signature: 'sig', format: 'anthropic-claude-v1' },
  },
  finish,
];
const text = (delta: string): StreamPart => ({ type: 'reasoning-delta', part: 0, delta });
const summary = (index: number, delta: string): StreamPart => ({
  type: 'reasoning-summary-delta',
  part: 0,
  summary: index,
  delta,
});

interface Thought {
  readonly summary: readonly { readonly text: string }[];
  readonly content: readonly object[];
  readonly encrypted_content: string;
}
interface Event {
  readonly type: string;
  readonly summary_index?: number;
  readonly delta?: string;
  readonly response?: { readonly output: readonly [Thought] };
}

function streamed(parts: readonly StreamPart[]): readonly Event[] {
  const said = writeStream(new EventWriter(head, request), parts, 1);
  return [...said.matchAll(/^data: (\{.*)$/gm)].map(([, json]) => JSON.parse(json ?? '') as Event);
}

function whole(parts: readonly StreamPart[]): Thought {
  const text = writeWhole(new ObjectWriter(head, request), parts);
  return (JSON.parse(text) as { readonly output: readonly [Thought] }).output[0];
}

describe('for a client that asked for summaries', () => {
  test.each<[string, readonly StreamPart[], readonly string[]]>([
    ['text alone', [text('Hm, '), text('yes.')], ['Hm, yes.']],
    ['text before a summary', [text('Hm'), summary(0, 'A'), summary(1, 'B')], ['Hm', 'A', 'B']],
    ['text after a summary', [summary(0, 'A'), text('Hm'), summary(1, 'B')], ['A', 'Hm', 'B']],
    [
      'a corrected text',
      [
        text('H'),
        summary(0, 'A'),
        { type: 'correction', part: 0, difference: 'short', text: 'Hm' },
      ],
      ['Hm', 'A'],
    ],
  ])('thoughts are summaries: %s', (_what, parts, told) => {
    const item = whole(thought(...parts));
    expect(item.summary.map((each) => each.text)).toEqual(told);
    expect(item.content).toEqual([]);
    const events = streamed(thought(...parts));
    expect(events.at(-1)?.response?.output[0]).toEqual(item);
    const types = new Set(events.map(({ type }) => type));
    expect(types.has('response.reasoning_text.delta')).toBe(false);
    expect(types.has('response.reasoning_summary_text.delta')).toBe(true);
    expect(types.has('response.reasoning_summary_text.done')).toBe(true);
  });

  test('the text goes back to its maker once, sealed or with its signature', () => {
    const item = whole(thought(text('Hm')));
    const { encrypted_content: _sealed, ...signed } = item;
    for (const replayed of [item, signed]) {
      const { inference } = accepted({ input: [message('a'), replayed] });
      expect(inference.items[1]).toMatchObject({
        type: 'reasoning',
        summary: [],
        content: ['Hm'],
        signature: 'sig',
        format: 'anthropic-claude-v1',
      });
    }
  });
});
