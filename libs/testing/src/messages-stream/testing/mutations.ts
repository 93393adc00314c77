import type { MessageRule } from '../rules.ts';
import type { Event } from './good-stream.ts';

/** Breaks one rule of a good stream. */
export interface Mutation {
  readonly rule: MessageRule;
  readonly name: string;
  /** undefined: this stream has nothing that could be broken so. `pick` chooses what. */
  readonly apply: (events: readonly Event[], pick: number) => readonly Event[] | undefined;
}

type Test = (event: Event) => boolean;
type Fields = Readonly<Record<string, unknown>>;

const typed =
  (type: string): Test =>
  (event) =>
    event.type === type;
const isStart = typed('message_start');
const isOpening = typed('content_block_start');
const isDelta = typed('content_block_delta');
const isStop = typed('content_block_stop');
const isEnding = typed('message_delta');
const isLast: Test = ({ type }) => type === 'message_stop' || type === 'error';

const fieldsIn = (event: Event, name: string) => event[name] as Fields | undefined;
const opens =
  (...kinds: readonly string[]): Test =>
  (event) =>
    isOpening(event) && kinds.includes(String(fieldsIn(event, 'content_block')?.['type']));
const grows =
  (type: string): Test =>
  (event) =>
    isDelta(event) && fieldsIn(event, 'delta')?.['type'] === type;
const ends =
  (...reasons: readonly string[]): Test =>
  (event) =>
    isEnding(event) && reasons.includes(String(fieldsIn(event, 'delta')?.['stop_reason']));

/** Changes one of the events that pass. */
function at(test: Test, change: (event: Event) => readonly Event[]): Mutation['apply'] {
  return (events, pick) => {
    const places = events.flatMap((event, index) => (test(event) ? [index] : []));
    const place = places[pick % Math.max(places.length, 1)];
    const chosen = place === undefined ? undefined : events[place];
    if (place === undefined || !chosen) return undefined;
    return events.toSpliced(place, 1, ...change(chosen));
  };
}

const removed = (test: Test) => at(test, () => []);
const doubled = (test: Test) => at(test, (event) => [event, event]);
const withFields = (test: Test, fields: Fields) => at(test, (event) => [{ ...event, ...fields }]);
const inside = (test: Test, name: string, fields: Fields) =>
  at(test, (event) => [{ ...event, [name]: { ...fieldsIn(event, name), ...fields } }]);
const before = (test: Test, added: Event) => at(test, (event) => [added, event]);
const after = (test: Test, added: (event: Event) => Event) =>
  at(test, (event) => [event, added(event)]);

const noInput = { input_tokens: -1 };
const emptyText = { type: 'text', text: '' };

const ofTheWhole: readonly Mutation[] = [
  { rule: 'shape', name: 'an unknown type', apply: withFields(isStop, { type: 'block_stop' }) },
  { rule: 'shape', name: 'a stop without an index', apply: withFields(isStop, { index: null }) },
  { rule: 'shape', name: 'an index below 0', apply: withFields(isOpening, { index: -1 }) },
  { rule: 'shape', name: 'a start without a message', apply: withFields(isStart, { message: 1 }) },
  { rule: 'shape', name: 'an end without usage', apply: withFields(isEnding, { usage: null }) },
  {
    rule: 'shape',
    name: 'an end without its sequence',
    apply: withFields(isEnding, { delta: { stop_reason: 'end_turn' } }),
  },
  {
    rule: 'shape',
    name: 'an error without a type',
    apply: withFields(typed('error'), { error: { message: 'cut' } }),
  },
  {
    rule: 'start-first',
    name: 'no start',
    apply: (events) => (events.some(isEnding) ? removed(isStart)(events, 0) : undefined),
  },
  { rule: 'start-first', name: 'two starts', apply: doubled(isStart) },
  {
    rule: 'start-empty',
    name: 'content from the start',
    apply: inside(isStart, 'message', { content: [emptyText] }),
  },
  {
    rule: 'start-empty',
    name: 'an end from the start',
    apply: inside(isStart, 'message', { stop_reason: 'end_turn' }),
  },
  {
    rule: 'start-empty',
    name: 'another role',
    apply: inside(isStart, 'message', { role: 'user' }),
  },
  { rule: 'generation-id', name: 'another id', apply: inside(isStart, 'message', { id: 'msg_2' }) },
  {
    rule: 'generation-id',
    name: 'another id of an error',
    apply: withFields(typed('error'), { request_id: null }),
  },
  { rule: 'usage', name: 'none at the start', apply: inside(isStart, 'message', { usage: {} }) },
  { rule: 'usage', name: 'a count below 0', apply: inside(isEnding, 'usage', noInput) },
  {
    rule: 'usage',
    name: 'fewer tokens at the end',
    apply: inside(isEnding, 'usage', { output_tokens: 0 }),
  },
  { rule: 'stop-word', name: 'none', apply: inside(isEnding, 'delta', { stop_reason: null }) },
  { rule: 'stop-word', name: 'unknown', apply: inside(isEnding, 'delta', { stop_reason: 'stop' }) },
  {
    rule: 'stop-word',
    name: 'an end of calls without one',
    apply: inside(ends('end_turn'), 'delta', { stop_reason: 'tool_use' }),
  },
  {
    rule: 'stop-word',
    name: 'an end of the turn in spite of calls',
    apply: inside(ends('tool_use'), 'delta', { stop_reason: 'end_turn' }),
  },
  { rule: 'delta-once', name: 'two', apply: doubled(isEnding) },
  { rule: 'delta-once', name: 'none', apply: removed(isEnding) },
  {
    rule: 'delta-once',
    name: 'a block after it',
    apply: after(isEnding, () => ({
      type: 'content_block_start',
      index: 9,
      content_block: emptyText,
    })),
  },
  { rule: 'end-once', name: 'no end', apply: removed(isLast) },
  { rule: 'end-once', name: 'two ends', apply: doubled(isLast) },
  {
    rule: 'end-once',
    name: 'a ping after the end',
    apply: after(isLast, () => ({ type: 'ping' })),
  },
];

const ofBlocks: readonly Mutation[] = [
  {
    rule: 'blocks-in-order',
    name: 'an index is left out',
    apply: at(isOpening, (event) => [{ ...event, index: Number(event['index']) + 1 }]),
  },
  {
    rule: 'one-block-open',
    name: 'a block within a block',
    apply: before(isStop, { type: 'content_block_start', index: 9, content_block: emptyText }),
  },
  {
    rule: 'block-open',
    name: 'a delta of another block',
    apply: withFields(isDelta, { index: 99 }),
  },
  { rule: 'block-open', name: 'a block that stops twice', apply: doubled(isStop) },
  {
    rule: 'block-open',
    name: 'a delta after the stop',
    apply: after(isStop, ({ index }) => ({
      type: 'content_block_delta',
      index,
      delta: { type: 'text_delta', text: 'x' },
    })),
  },
  {
    rule: 'block-begins-empty',
    name: 'a text that starts with text',
    apply: inside(opens('text'), 'content_block', { text: 'x' }),
  },
  {
    rule: 'block-begins-empty',
    name: 'a thought that starts with a signature',
    apply: inside(opens('thinking'), 'content_block', { signature: 'x' }),
  },
  {
    rule: 'block-begins-empty',
    name: 'a call that starts with its input',
    apply: inside(opens('tool_use'), 'content_block', { input: { a: 1 } }),
  },
  {
    rule: 'block-begins-empty',
    name: 'a kind that nobody knows',
    apply: inside(isOpening, 'content_block', { type: 'sound' }),
  },
  {
    rule: 'block-kind',
    name: 'input in another block',
    apply: at(isDelta, (event) => {
      const isInput = fieldsIn(event, 'delta')?.['type'] === 'input_json_delta';
      const delta = isInput
        ? { type: 'text_delta', text: 'x' }
        : { type: 'input_json_delta', partial_json: '{}' };
      return [{ ...event, delta }];
    }),
  },
  {
    rule: 'block-kind',
    name: 'a text delta without text',
    apply: withFields(grows('text_delta'), { delta: { type: 'text_delta' } }),
  },
  { rule: 'signature-last', name: 'two', apply: doubled(grows('signature_delta')) },
  {
    rule: 'signature-last',
    name: 'a thought after it',
    apply: after(grows('signature_delta'), (event) => ({
      ...event,
      delta: { type: 'thinking_delta', thinking: 'x' },
    })),
  },
  {
    rule: 'call-ids',
    name: 'a call without an id',
    apply: inside(opens('tool_use'), 'content_block', { id: '' }),
  },
  {
    rule: 'call-ids',
    name: 'a call without a name',
    apply: inside(opens('tool_use'), 'content_block', { name: undefined }),
  },
  {
    rule: 'call-ids',
    name: 'two calls with one id',
    apply: (events) => {
      const calls = events.filter(opens('tool_use'));
      const [first, second] = calls;
      if (!first || !second) return undefined;
      const { id } = fieldsIn(first, 'content_block') ?? {};
      return inside((event) => event === second, 'content_block', { id })(events, 0);
    },
  },
  {
    rule: 'call-arguments',
    name: 'a piece is lost',
    apply: (events, pick) =>
      events.some(ends('tool_use')) ? removed(grows('input_json_delta'))(events, pick) : undefined,
  },
  {
    rule: 'all-stopped',
    name: 'the last block stays open',
    apply: (events) => {
      const place = events.findLastIndex(isStop);
      return place < 0 || !events.some(isEnding) ? undefined : events.toSpliced(place, 1);
    },
  },
];

/** Every rule about events, broken in every way that we thought of. */
export const mutations: readonly Mutation[] = [...ofTheWhole, ...ofBlocks];
