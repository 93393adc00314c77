import { deepEqual, equal, ok } from 'node:assert/strict';
import { Fault, isRejection } from '@sluice/errors';
import {
  type AnswerPart,
  type FinishReason,
  isLast,
  type StreamPart,
  type TokenUsage,
} from '@sluice/inference';
import { wholeText } from '@sluice/inference-port';
import { failurePart } from '@sluice/client-errors';
import type { Dialect } from '@sluice/providers';
import { cutAt, readStream, translators } from '@sluice/providers/testing';
import { describe, test } from 'vitest';
import type { AnswerWriters } from '../../dialects/dialect.ts';
import { dialects } from '../../dialects/index.ts';
import { settlement, writeStream, writeWhole } from '../../dialects/testing/write-answer.ts';

// The translator of a provider dialect reads what we write in the client dialect of the same kind: each answer says there
// what it says in the others.

type Name = 'responses' | 'chat-completions' | 'messages';

const kinds: readonly (readonly [Name, Dialect])[] = [
  ['responses', 'openai-responses'],
  ['chat-completions', 'openai-chat'],
  ['messages', 'anthropic-messages'],
];

/** An answer, as far as all dialects have words for it. */
interface Said {
  readonly thought: string;
  readonly text: string;
  readonly calls: readonly (readonly [name: string, input: unknown])[];
  readonly reason: FinishReason | 'error';
  readonly usage: TokenUsage | undefined;
}

type Output =
  | { readonly kind: 'text' | 'thought' | 'refusal'; readonly deltas: readonly string[] }
  | { readonly kind: 'call'; readonly name: string; readonly deltas: readonly string[] };

function partsOf(outputs: readonly Output[], reason: FinishReason): readonly StreamPart[] {
  const isCut = reason === 'length' || reason === 'content-filter';
  return [
    { type: 'response-start', upstreamId: 'up-1' },
    ...outputs.flatMap((output, part) =>
      outputParts(output, part, { isOpen: isCut && part === outputs.length - 1 }),
    ),
    { type: 'finish', reason, nativeReason: undefined, usage: undefined },
  ];
}

function outputParts(
  output: Output,
  part: number,
  { isOpen }: { readonly isOpen: boolean },
): readonly StreamPart[] {
  if (output.kind === 'call')
    return [
      { type: 'tool-call-start', part, callId: `call_${part}`, name: output.name },
      ...output.deltas.map((delta) => ({ type: 'tool-call-delta', part, delta }) as const),
      ...(isOpen ? [] : [{ type: 'tool-call-end', part } as const]),
    ];
  const kind = output.kind === 'thought' ? 'reasoning' : output.kind;
  return [
    { type: `${kind}-start`, part },
    ...output.deltas.map((delta) => ({ type: `${kind}-delta`, part, delta }) as const),
    ...(isOpen ? [] : [{ type: `${kind}-end`, part } as const]),
  ];
}

function saidIn(parts: readonly StreamPart[]): Said {
  let [thought, text] = ['', ''];
  const calls = new Map<number, { readonly name: string; input: string }>();
  for (const part of parts)
    if (part.type === 'reasoning-delta' || part.type === 'reasoning-summary-delta')
      thought += part.delta;
    else if (part.type === 'text-delta' || part.type === 'refusal-delta') text += part.delta;
    else if (part.type === 'tool-call-start') calls.set(part.part, { name: part.name, input: '' });
    else if (part.type === 'tool-call-delta') {
      const call = calls.get(part.part);
      ok(call);
      call.input += part.delta;
    }
  const last = parts.at(-1);
  ok(last?.type === 'finish' || last?.type === 'error');
  return {
    thought,
    text,
    calls: [...calls.values()].map(({ name, input }) => [name, JSON.parse(input || '{}')]),
    reason: last.type === 'finish' ? last.reason : 'error',
    usage: last.usage,
  };
}

async function writersOf(name: Name): Promise<AnswerWriters> {
  const body = { model: 'a/b', input: 'x', messages: [{ role: 'user', content: 'x' }] };
  const scanned = await dialects[name].scan(Buffer.from(JSON.stringify(body)));
  const call = scanned.parse({});
  ok(!isRejection(call));
  return call.writers(call.call.inference, []);
}

const head = {
  name: '1',
  model: 'a/b',
  createdAt: 1_760_000_000,
  inputTokens: 7,
  dropsThinking: false,
};

async function wholeOf(name: Name, parts: readonly StreamPart[]): Promise<string> {
  return await wholeText(writeWhole((await writersOf(name)).whole(head), parts));
}

async function streamOf(name: Name, parts: readonly StreamPart[]): Promise<Uint8Array> {
  return Buffer.from(writeStream((await writersOf(name)).stream(head), parts, 1));
}

const text = (...deltas: readonly string[]): Output => ({ kind: 'text', deltas });
const thought = (...deltas: readonly string[]): Output => ({ kind: 'thought', deltas });
const call = (name: string, ...deltas: readonly string[]): Output => ({
  kind: 'call',
  name,
  deltas,
});

const answers: readonly (readonly [string, FinishReason, readonly Output[]])[] = [
  ['a text', 'stop', [text('Hello', ' to ', 'you')]],
  ['any text', 'stop', [text('grüß 👋', '\u2028 "x" \\ \n\n', 'data: [DONE]\n\n')]],
  ['a text that a limit cut', 'length', [text('Once upon')]],
  ['a text that a filter cut', 'content-filter', [text('Once upon')]],
  ['a thought and a text', 'stop', [thought('hm', ' so'), text('Yes')]],
  ['a call', 'tool-calls', [call('look', '{"city":', '"Rome"}')]],
  ['a call without arguments', 'tool-calls', [call('look', '{}')]],
  ['a word and a call', 'tool-calls', [text('I look'), call('look', '{"a":[1,2.5,null]}')]],
  ['parallel calls', 'tool-calls', [call('look', '{"a":1}'), call('ask', '{"b":"ä"}')]],
  ['a thought and a call', 'tool-calls', [thought('hm'), call('look', '{}')]],
  ['all of it', 'tool-calls', [thought('hm'), text('So'), call('look', '{}'), call('ask', '{}')]],
  ['two texts', 'stop', [text('one '), text('two')]],
];
const usage = { inputTokens: 10, cachedTokens: 4, outputTokens: 5, reasoningTokens: 2 };

describe.each(kinds)('%s, read as %s', (name, provider) => {
  test.each(answers)('%s', async (_, reason, outputs) => {
    const parts = partsOf(outputs, reason);
    const expected = { ...saidIn(parts), usage };
    const translator = translators[provider];
    const whole = JSON.parse(await wholeOf(name, parts)) as unknown;
    deepEqual(saidIn(translator.whole(whole)), expected);
    const stream = await streamOf(name, parts);
    for (let pieceBytes = 1; pieceBytes < stream.length; pieceBytes += 97) {
      const cuts = Array.from({ length: 5 }, (_cut, index) => (index + 1) * pieceBytes);
      deepEqual(saidIn(readStream(translator, cutAt(stream, cuts))), expected);
    }
  });

  test('an answer that broke, at the provider or here, ends as an error', async () => {
    const broken = failurePart(new Fault('provider_unavailable'));
    const begun = partsOf([text('Once')], 'stop').filter((part) => !isLast(part));
    const writer = (await writersOf(name)).stream(head);
    const pieces = [writer.begin([]), writer.write(begun), writer.abort(broken)];
    for (const stream of [await streamOf(name, [...begun, broken]), Buffer.concat(pieces)]) {
      const { text: said, reason } = saidIn(readStream(translators[provider], [stream]));
      deepEqual([said, reason], ['Once', 'error']);
      equal(Buffer.from(stream).toString().endsWith('data: [DONE]\n\n'), name !== 'messages');
    }
  });

  test('an answer of two calls names the model of the last one', async () => {
    const said: readonly AnswerPart[] = [
      { type: 'text-start', part: 0 },
      { type: 'text-delta', part: 0, delta: 'Once' },
      { type: 'text-end', part: 0 },
    ];
    const whole = (await writersOf(name)).whole(head);
    whole.write(said);
    whole.servedBy('c/d', 'C');
    const { model } = JSON.parse(await wholeText(whole.end(settlement))) as { model: string };
    equal(model, 'c/d');
    const stream = (await writersOf(name)).stream(head);
    const pieces = [stream.begin([]), stream.write(said)];
    stream.servedBy('c/d', 'C');
    const text = Buffer.concat([...pieces, stream.end(settlement)]).toString();
    const models = [...text.matchAll(/"model":"([^"]*)"/g)].map(([, told]) => told);
    // A message reports its model when it starts.
    deepEqual([models.at(0), models.at(-1)], ['a/b', name === 'messages' ? 'a/b' : 'c/d']);
  });
});
