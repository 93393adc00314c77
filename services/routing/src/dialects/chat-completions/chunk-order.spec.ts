import type { StreamPart } from '@sluice/inference';
import { type Chunk, readChunks } from '@sluice/testing/chat-stream';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { AnswerHead } from '../dialect.ts';
import { writeStream, writeWhole } from '../testing/write-answer.ts';
import { anyAnswer } from '../testing/any-answer.ts';
import { ChunkWriter } from './chunk-writer.ts';
import { CompletionWriter } from './completion-writer.ts';

const head: AnswerHead = {
  name: '1',
  model: 'maker/model',
  createdAt: 1_760_000_000,
  inputTokens: 7,
  dropsThinking: false,
};
const forms = fc.record({ excludesThoughts: fc.boolean(), isLegacy: fc.constant(false) });
type Form = { readonly excludesThoughts: boolean; readonly isLegacy: boolean };

/** Answers whose finished calls have arguments that parse. */
const answers = anyAnswer.map((parts) =>
  parts.flatMap((part): readonly StreamPart[] => {
    if (part.type === 'tool-call-start' && !part.isCustom)
      return [part, { type: 'tool-call-delta', part: part.part, delta: '{}' }];
    return part.type === 'tool-call-delta' && !isCustom(parts, part.part) ? [] : [part];
  }),
);
const isCustom = (parts: readonly StreamPart[], number: number) =>
  parts.some((part) => part.type === 'tool-call-start' && part.part === number && part.isCustom);

function streamed(parts: readonly StreamPart[], form: Form, size: number): readonly Chunk[] {
  return readChunks(writeStream(new ChunkWriter(head, form), parts, size), 'gen-1');
}

interface Whole {
  readonly choices: readonly [
    {
      readonly finish_reason: string;
      readonly message: {
        readonly content: string | null;
        readonly reasoning?: string;
        readonly images?: readonly { readonly image_url: { readonly url: string } }[];
        readonly tool_calls?: readonly {
          readonly function?: { readonly arguments: string };
          readonly custom?: { readonly input: string };
        }[];
      };
    },
  ];
  readonly usage: unknown;
}

function whole(parts: readonly StreamPart[], form: Form): Whole {
  return JSON.parse(writeWhole(new CompletionWriter(head, form), parts)) as Whole;
}

describe('every stream of chunks', () => {
  test('keeps the rules, whatever the parts and however they come', () => {
    fc.assert(
      fc.property(answers, forms, fc.integer({ min: 1, max: 9 }), (parts, form, size) => {
        const reasons = streamed(parts, form, size).flatMap(({ choices }) =>
          choices.flatMap(({ finish_reason: reason }) => reason ?? []),
        );
        expect(reasons).toHaveLength(1);
      }),
      { numRuns: 500 },
    );
  });

  test('tells what the whole completion tells', () => {
    fc.assert(
      fc.property(answers, forms, fc.integer({ min: 1, max: 9 }), (parts, form, size) => {
        const chunks = streamed(parts, form, size);
        const deltas = chunks.flatMap(({ choices }) => choices.map(({ delta }) => delta));
        const { choices, usage } = whole(parts, form);
        const [{ message, finish_reason: reason }] = choices;
        const text = deltas.map(({ content = '' }) => content).join('');
        expect(message.content ?? '').toBe(text);
        const thoughts = deltas.map(({ reasoning = '' }) => reasoning).join('');
        expect(message.reasoning ?? '').toBe(thoughts);
        const calls = deltas.flatMap(({ tool_calls: told = [] }) => told);
        const inputs = (message.tool_calls ?? []).map((_call, index) =>
          calls
            .filter((call) => call.index === index)
            .map((call) => call.function?.arguments ?? call.custom?.input)
            .join(''),
        );
        expect(
          (message.tool_calls ?? []).map((call) => call.function?.arguments ?? call.custom?.input),
        ).toEqual(inputs);
        const ends = chunks.flatMap(({ choices }) =>
          choices.flatMap(({ finish_reason: end }) => end ?? []),
        );
        expect(ends).toEqual([reason]);
        expect(chunks.at(-1)?.usage).toEqual(usage);
      }),
    );
  });
});

test('a picture has the type that its provider told, or else PNG', () => {
  const urls = [{ mediaType: 'image/webp' }, {}].map((about) => {
    const { choices } = whole(
      [
        { type: 'response-start', upstreamId: 'x' },
        { type: 'image', part: 0, base64: 'aGk=', ...about },
        { type: 'finish', reason: 'stop', nativeReason: undefined, usage: undefined },
      ],
      { excludesThoughts: false, isLegacy: false },
    );
    return choices[0].message.images?.[0]?.image_url.url;
  });
  expect(urls).toEqual(['data:image/webp;base64,aGk=', 'data:image/png;base64,aGk=']);
});
