import { deepEqual, ok } from 'node:assert/strict';
import { isRejection } from '@sluice/errors';
import { isLast, type InputItem, type StreamPart } from '@sluice/inference';
import { wholeText } from '@sluice/inference-port';
import fc from 'fast-check';
import { describe, test } from 'vitest';
import { dialects } from '../../dialects/index.ts';
import { writeWhole } from '../../dialects/testing/write-answer.ts';
import { AnswerItems } from '../../request/answer-items.ts';
import { type ConversationDialect, parseCall } from '../../testing/conversations/index.ts';

// A client that sends an answer back gives the model the same items as a response that goes on by itself.

/** One output of a model. */
type Output = (part: number) => readonly StreamPart[];

const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 });
const deltas = fc.array(text, { minLength: 1, maxLength: 3 });

const prose = fc
  .record({ kind: fc.constantFrom('text', 'refusal'), deltas })
  .map(({ kind, deltas: said }): Output => (part) => [
    { type: `${kind}-start`, part },
    ...said.map((delta): StreamPart => ({ type: `${kind}-delta`, part, delta })),
    { type: `${kind}-end`, part },
  ]);

const replay = fc.constantFrom(
  undefined,
  { signature: 'sig', format: 'anthropic-claude-v1' },
  { signature: 'sig', format: 'google-gemini-v1' },
  { encrypted: 'blob', format: 'openai-responses-v1' },
);

/** Makers that encrypt their thoughts tell summaries of them, and others tell their text. */
const thought = fc
  .record({ deltas, replay })
  .map(({ deltas: said, replay: kept }): Output => (part) => [
    { type: 'reasoning-start', part, ...(kept && { format: kept.format }) },
    ...said.map((delta, summary): StreamPart =>
      kept && 'encrypted' in kept
        ? { type: 'reasoning-summary-delta', part, summary, delta }
        : { type: 'reasoning-delta', part, delta },
    ),
    { type: 'reasoning-end', part, ...(kept && { replay: kept }) },
  ]);

const json = fc
  .dictionary(text, fc.jsonValue({ maxDepth: 1 }), { maxKeys: 2 })
  .map((value) => JSON.stringify(value));
const call = fc
  .oneof(
    fc.record({ input: json, isCustom: fc.constant(false) }),
    fc.record({ input: text, isCustom: fc.constant(true) }),
  )
  .map(({ input: delta, isCustom }): Output => (part) => [
    {
      type: 'tool-call-start',
      part,
      callId: `call_${String(part)}`,
      name: 'look',
      ...(isCustom && { isCustom }),
    },
    { type: 'tool-call-delta', part, delta },
    { type: 'tool-call-end', part },
  ]);

const searched = { type: 'web_search_call', status: 'completed', action: { type: 'search' } };
const native = fc.constant<Output>((part) => [
  { type: 'native-start', part, item: { ...searched, status: 'in_progress' } },
  { type: 'native-end', part, item: searched },
]);
const picture = fc.constant<Output>((part) => [
  { type: 'image', part, base64: '/9j/aGk=', mediaType: 'image/jpeg' },
]);

const answers = fc
  .array(fc.oneof(prose, thought, call, native, picture), { minLength: 1, maxLength: 6 })
  .map((outputs): readonly StreamPart[] => [
    { type: 'response-start', upstreamId: 'x' },
    ...outputs.flatMap((output, part) => output(part)),
    { type: 'finish', reason: 'stop', nativeReason: undefined, usage: undefined },
  ]);

const user = { role: 'user', content: 'hi' };
const wants = { include: ['reasoning.encrypted_content'], input: [user], messages: [user] };
const head = { name: '1', model: 'm', createdAt: 0, inputTokens: 7, dropsThinking: false };

interface WireItem {
  readonly type: string;
  readonly call_id?: string;
}

/** Returns the turns of the next request of a client, after the one of the user. */
const sentBack: Readonly<Record<ConversationDialect, (answer: never) => readonly object[]>> = {
  responses: ({ output }: { output: readonly WireItem[] }) => [
    ...output,
    ...output.flatMap(({ type, call_id }) =>
      call_id !== undefined ? [{ type: `${type}_output`, call_id, output: 'done' }] : [],
    ),
  ],
  'chat-completions': ({ choices: [{ message }] }: { choices: [{ message: object }] }) => [message],
  messages: ({ content }: { content: readonly object[] }) => [{ role: 'assistant', content }],
};

async function readBack(
  dialect: ConversationDialect,
  parts: readonly StreamPart[],
): Promise<readonly InputItem[]> {
  const asked = { model: 'm', max_tokens: 9, ...wants };
  const scanned = await dialects[dialect].scan(Buffer.from(JSON.stringify(asked)));
  const parsed = scanned.parse({});
  ok(!isRejection(parsed), JSON.stringify(parsed));
  const writer = parsed.writers(parsed.call.inference, []).whole(head);
  const answer = JSON.parse(await wholeText(writeWhole(writer, parts))) as never;
  const turns = [user, ...sentBack[dialect](answer)];
  const next = { ...asked, input: turns, messages: turns };
  const { items } = (await parseCall(dialect, next)).inference;
  return items.slice(1).filter(({ type }) => !type.endsWith('-output'));
}

function folded(parts: readonly StreamPart[]): readonly InputItem[] {
  const answer = new AnswerItems();
  for (const part of parts) if (!isLast(part)) answer.add(part);
  return answer.items();
}

/** A thought without the names that a dialect makes up. */
const thoughtOf = (item: InputItem): InputItem =>
  item.type === 'reasoning'
    ? { ...item, id: '', format: item.format === 'unknown' ? undefined : item.format }
    : item;

/** A message has no place for the items of another provider's tools, and its summaries are one text. */
function inMessages(items: readonly InputItem[]): readonly InputItem[] {
  return items.flatMap((item): readonly InputItem[] => {
    if (item.type === 'reasoning' && item.summary.length > 0)
      return [{ ...item, summary: [item.summary.join('\n\n')] }];
    if (item.type !== 'native') return [item];
    if (!item.picture) return [];
    return [{ type: 'message', role: 'assistant', content: [item.picture] }];
  });
}

/** Blocks that follow each other are one message. A custom tool is sent as a function. */
function asBlocks(items: readonly InputItem[]): readonly InputItem[] {
  const turns: InputItem[] = [];
  for (const item of inMessages(items)) {
    const last = turns.at(-1);
    if (item.type === 'message' && last?.type === 'message')
      turns[turns.length - 1] = { ...last, content: [...last.content, ...item.content] };
    else if (item.type === 'custom-tool-call') {
      const { callId, name, input } = item;
      turns.push({ type: 'function-call', callId, name, arguments: JSON.stringify({ input }) });
    } else turns.push(item);
  }
  return turns;
}

/** A completion has its thoughts, its text, its refusal, its pictures and its calls in five fields. */
function byField(items: readonly InputItem[]): object {
  const content = items.flatMap((item) => (item.type === 'message' ? item.content : []));
  const texts = content.flatMap((one) => (one.type === 'text' ? one.text.split('') : []));
  return {
    thoughts: items.filter(({ type }) => type === 'reasoning'),
    // The refusal comes after the text.
    texts: texts.toSorted(),
    pictures: content.filter(({ type }) => type === 'image'),
    calls: items.filter(({ type }) => type.endsWith('-call')),
  };
}

const comparable: Readonly<Record<ConversationDialect, (items: readonly InputItem[]) => unknown>> =
  {
    responses: (items) =>
      items.map((item) =>
        item.type === 'native' ? { ...item, item: { ...item.item, id: '' } } : item,
      ),
    'chat-completions': (items) => byField(inMessages(items)),
    messages: asBlocks,
  };

describe('the items of an answer are those that a client sends back', () => {
  test.each(['responses', 'chat-completions', 'messages'] as const)('%s', async (dialect) => {
    const told = (items: readonly InputItem[]) => comparable[dialect](items.map(thoughtOf));
    await fc.assert(
      fc.asyncProperty(answers, async (parts) => {
        deepEqual(told(await readBack(dialect, parts)), told(folded(parts)));
      }),
      { numRuns: 200 },
    );
  });
});
