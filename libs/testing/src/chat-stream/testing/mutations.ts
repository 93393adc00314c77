import type { ChatRule } from '../rules.ts';
import { broken, type Fields, isBroken, type LooseChunk } from './good-chunks.ts';

/** Breaks one rule of a good stream. */
export interface Mutation {
  readonly rule: ChatRule;
  readonly name: string;
  /** undefined: this stream has nothing that could be broken so. `pick` chooses what. */
  readonly apply: (
    chunks: readonly LooseChunk[],
    pick: number,
  ) => readonly LooseChunk[] | undefined;
}

type Test = (chunk: LooseChunk) => boolean;
type Call = Fields & { readonly index: number };

const isLast: Test = ({ reason }) => typeof reason === 'string';
const isReport: Test = ({ head }) => 'debug' in head;
const isBooks: Test = (chunk) => chunk.delta === undefined && !isReport(chunk) && !isBroken(chunk);
const isFirst: Test = ({ delta }) => delta?.['role'] !== undefined;
const isMiddle: Test = (chunk) =>
  ![isFirst, isLast, isReport, isBooks, isBroken].some((is) => is(chunk));
const says =
  (name: string): Test =>
  (chunk) =>
    isMiddle(chunk) && chunk.delta?.[name] !== undefined;
const ends =
  (...reasons: readonly string[]): Test =>
  ({ reason }) =>
    reasons.includes(String(reason));

const callIn = ({ delta }: LooseChunk) =>
  (delta?.['tool_calls'] as readonly [Call] | undefined)?.[0];
const begins: Test = (chunk) => callIn(chunk)?.['id'] !== undefined;
const goesOn: Test = (chunk) => callIn(chunk) !== undefined && !begins(chunk);
const hasArguments: Test = (chunk) => goesOn(chunk) && callIn(chunk)?.['function'] !== undefined;

/** Changes one of the chunks that pass. */
function at(test: Test, change: (chunk: LooseChunk) => readonly LooseChunk[]): Mutation['apply'] {
  return (chunks, pick) => {
    const places = chunks.flatMap((chunk, index) => (test(chunk) ? [index] : []));
    const place = places[pick % Math.max(places.length, 1)];
    const chosen = place === undefined ? undefined : chunks[place];
    if (place === undefined || !chosen) return undefined;
    return chunks.toSpliced(place, 1, ...change(chosen));
  };
}

const removed = (test: Test) => at(test, () => []);
const doubled = (test: Test) => at(test, (chunk) => [chunk, chunk]);
const withHead = (test: Test, head: Fields) =>
  at(test, (chunk) => [{ ...chunk, head: { ...chunk.head, ...head } }]);
const withDelta = (test: Test, delta: Fields) =>
  at(test, (chunk) => [{ ...chunk, delta: { ...chunk.delta, ...delta } }]);
const withReason = (test: Test, reason: string | null) =>
  at(test, (chunk) => [{ ...chunk, reason }]);
const withCall = (test: Test, change: (call: Call) => Fields) =>
  at(test, (chunk) => {
    const call = callIn(chunk);
    return [call ? { ...chunk, delta: { tool_calls: [change(call)] } } : chunk];
  });

const withMark = (chunk: LooseChunk, mark: Fields): LooseChunk => {
  const details = (chunk.delta?.['reasoning_details'] ?? []) as readonly Fields[];
  const marked = details.map((detail) => ({ ...detail, ...mark }));
  return { ...chunk, delta: { ...chunk.delta, reasoning_details: marked } };
};
const withDetail = (test: Test, mark: Fields) => at(test, (chunk) => [withMark(chunk, mark)]);

const onlyWhen =
  (test: Test, apply: Mutation['apply']): Mutation['apply'] =>
  (chunks, pick) =>
    chunks.some(test) ? apply(chunks, pick) : undefined;

/** Every rule about chunks, broken in every way that we thought of. */
export const mutations: readonly Mutation[] = [
  { rule: 'shape', name: 'another object', apply: withHead(isMiddle, { object: 'x' }) },
  { rule: 'shape', name: 'no time', apply: withHead(isLast, { created: undefined }) },
  { rule: 'shape', name: 'no model', apply: withHead(isFirst, { model: null }) },
  {
    rule: 'shape',
    name: 'a reason that is no word',
    apply: at(isMiddle, (chunk) => [{ ...chunk, reason: 1 as unknown as string }]),
  },
  { rule: 'same-completion', name: 'another id', apply: withHead(isLast, { id: 'gen-2' }) },
  { rule: 'same-completion', name: 'another time', apply: withHead(isLast, { created: 1 }) },
  {
    rule: 'generation-id',
    name: 'the id of another generation',
    apply: (chunks) => chunks.map((chunk) => ({ ...chunk, head: { ...chunk.head, id: 'gen-2' } })),
  },
  { rule: 'debug-alone', name: 'no report', apply: withHead(isReport, { debug: undefined }) },
  { rule: 'debug-alone', name: 'usage beside it', apply: withHead(isReport, { usage: {} }) },
  { rule: 'role-first', name: 'no role', apply: withDelta(isFirst, { role: undefined }) },
  { rule: 'role-first', name: 'another role', apply: withDelta(isFirst, { role: 'user' }) },
  { rule: 'role-first', name: 'a role again', apply: withDelta(isMiddle, { role: 'assistant' }) },
  {
    rule: 'no-empty-delta',
    name: 'one that says nothing',
    apply: at(isMiddle, (chunk) => [chunk, { ...chunk, delta: {} }]),
  },
  {
    rule: 'calls-in-order',
    name: 'an index is left out',
    apply: withCall(begins, (call) => ({ ...call, index: call.index + 9 })),
  },
  {
    rule: 'call-begins',
    name: 'a call without an id',
    apply: withCall(begins, ({ id: _id, ...call }) => call),
  },
  {
    rule: 'call-begins',
    name: 'a call without a type',
    apply: withCall(begins, ({ type: _type, ...call }) => call),
  },
  { rule: 'call-begins', name: 'a call that begins twice', apply: doubled(begins) },
  {
    rule: 'call-begins',
    name: 'an id in a later delta',
    apply: withCall(goesOn, (call) => ({ ...call, id: 'call_x' })),
  },
  {
    rule: 'call-kind',
    name: 'a delta of the other kind',
    apply: withCall(goesOn, ({ index, custom }) =>
      custom ? { index, function: { arguments: '1' } } : { index, custom: { input: '1' } },
    ),
  },
  {
    rule: 'call-arguments',
    name: 'a piece is lost',
    apply: onlyWhen(ends('tool_calls'), removed(hasArguments)),
  },
  {
    rule: 'thoughts-in-order',
    name: 'an index is left out',
    apply: withDelta(says('reasoning_details'), {
      reasoning: 'x',
      reasoning_details: [{ index: 99, text: 'x' }],
    }),
  },
  ...[{ format: undefined }, { id: undefined }].map((lost): Mutation => ({
    rule: 'thought-marks',
    name: `no ${Object.keys(lost).join('')}`,
    apply: withDetail(says('reasoning_details'), lost),
  })),
  {
    rule: 'thought-marks',
    name: 'the id of another thought',
    apply: (chunks) =>
      chunks.filter(says('reasoning_details')).length < 2
        ? undefined
        : chunks.map((chunk) =>
            says('reasoning_details')(chunk) ? withMark(chunk, { id: 'rs_0' }) : chunk,
          ),
  },
  {
    rule: 'reasoning-twice',
    name: 'another text than the details',
    apply: withDelta(says('reasoning'), { reasoning: 'never thought' }),
  },
  {
    rule: 'reasoning-twice',
    name: 'a text without details',
    apply: withDelta(says('content'), { reasoning: 'x' }),
  },
  { rule: 'finish-once', name: 'two ends', apply: doubled(isLast) },
  {
    rule: 'finish-once',
    name: 'no last chunk',
    apply: onlyWhen(ends('stop', 'length', 'tool_calls'), removed(isBooks)),
  },
  { rule: 'finish-once', name: 'two last chunks', apply: doubled(isBooks) },
  {
    rule: 'finish-once',
    name: 'the reason of an error without one',
    apply: removed(isBroken),
  },
  {
    rule: 'finish-once',
    name: 'a report after the end',
    apply: at(isBooks, ({ head }) => [{ head: { ...head, debug: {} } }]),
  },
  {
    rule: 'finish-once',
    name: 'a chunk after the end',
    apply: at(isLast, (chunk) => [chunk, { head: chunk.head, delta: { content: 'x' } }]),
  },
  {
    rule: 'debug-alone',
    name: 'the last chunk without an end',
    apply: removed(isLast),
  },
  { rule: 'finish-word', name: 'unknown', apply: withReason(ends('stop', 'length'), 'end_turn') },
  {
    rule: 'finish-word',
    name: 'calls without a call',
    apply: withReason(ends('stop'), 'tool_calls'),
  },
  {
    rule: 'finish-word',
    name: 'a stop in spite of calls',
    apply: withReason(ends('tool_calls'), 'stop'),
  },
  { rule: 'usage-last', name: 'usage before the end', apply: withHead(isMiddle, { usage: {} }) },
  {
    rule: 'usage-last',
    name: 'usage with the end',
    apply: withHead(isLast, { usage: {} }),
  },
  {
    rule: 'usage-last',
    name: 'no usage at the end',
    apply: onlyWhen(ends('stop', 'length', 'tool_calls'), withHead(isBooks, { usage: undefined })),
  },
  {
    rule: 'usage-last',
    name: 'a wrong sum',
    apply: withHead(isBooks, {
      usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 3 },
    }),
  },
  {
    rule: 'error-last',
    name: 'an error of a success',
    apply: onlyWhen(
      ends('stop', 'length', 'tool_calls'),
      at(isBooks, (chunk) => [chunk, broken]),
    ),
  },
  { rule: 'error-last', name: 'an error with the end', apply: withHead(isLast, { error: {} }) },
  { rule: 'error-last', name: 'an error with usage', apply: withHead(isBroken, { usage: {} }) },
  { rule: 'error-last', name: 'two errors', apply: doubled(isBroken) },
  {
    rule: 'error-last',
    name: 'an error with the last chunk',
    apply: withHead(isBooks, { error: {} }),
  },
  {
    rule: 'error-last',
    name: 'an error with a delta',
    apply: withHead(isMiddle, { error: {} }),
  },
  { rule: 'error-last', name: 'an error before the end', apply: at(isMiddle, () => [broken]) },
];
