import type { StreamRule } from '../rules.ts';
import { numbered, type Event, type Fields } from './good-stream.ts';

/** Breaks one rule of a good stream. */
export interface Mutation {
  readonly rule: StreamRule;
  readonly name: string;
  /** undefined: this stream has nothing that could be broken so. `pick` chooses what. */
  readonly apply: (events: readonly Event[], pick: number) => readonly Event[] | undefined;
}

type Test = (event: Event) => boolean;

const typed =
  (...types: readonly string[]): Test =>
  ({ type }) =>
    types.some((each) => type === `response.${each}`);
const isDelta: Test = ({ type }) => type.endsWith('.delta');
const isItemEvent: Test = (event) => 'item_id' in event;
const isTextDone: Test = ({ type }) => /(text|refusal|arguments|input)\.done$/.test(type);
const isTerminal = typed('completed', 'incomplete', 'failed');
const isPartDone = typed('content_part.done', 'reasoning_summary_part.done');

/** At one of the events that pass, in the numbers that the rest then has. */
function at(test: Test, change: (event: Event) => readonly Event[] | undefined): Mutation['apply'] {
  return (events, pick) => {
    const places = events.flatMap((event, index) => (test(event) ? [index] : []));
    const place = places[pick % Math.max(places.length, 1)];
    const chosen = place === undefined ? undefined : events[place];
    const changed = chosen && change(chosen);
    if (place === undefined || !changed) return undefined;
    return numbered(events.toSpliced(place, 1, ...changed));
  };
}

const removed = (test: Test) => at(test, () => []);
const doubled = (test: Test) => at(test, (event) => [event, event]);
const withFields = (test: Test, fields: Fields) => at(test, (event) => [{ ...event, ...fields }]);

/** With other fields in what the event carries. */
function inside(test: Test, name: 'item' | 'part' | 'response', fields: Fields): Mutation['apply'] {
  return at(test, (event) => [{ ...event, [name]: { ...(event[name] as Fields), ...fields } }]);
}

const mutation = (rule: StreamRule, name: string, apply: Mutation['apply']): Mutation => ({
  rule,
  name,
  apply,
});

const noise = { type: 'refusal', refusal: 'x' };
const isTextPart: Test = (event) =>
  (event['part'] as Fields | undefined)?.['type'] === 'output_text';
const isCallItem: Test = (event) =>
  (event['item'] as Fields | undefined)?.['type'] === 'function_call';
const hasOutput: Test = (event) =>
  isTerminal(event) && ((event['response'] as Fields)['output'] as readonly unknown[]).length > 0;
const both =
  (...tests: readonly Test[]): Test =>
  (event) =>
    tests.every((test) => test(event));

const ofNumbers: readonly Mutation[] = [
  mutation('sequence-number', 'a number is left out', (events, pick) =>
    events.map((event, index) => ({
      ...event,
      sequence_number:
        index + (index > pick % events.length || index === events.length - 1 ? 1 : 0),
    })),
  ),
  mutation('sequence-number', 'numbers count from 1', (events) =>
    events.map((event, index) => ({ ...event, sequence_number: index + 1 })),
  ),
  mutation('sequence-number', 'an event has no number', (events) =>
    events.map(({ sequence_number: _number, ...event }) => event as Event),
  ),
];

const ofTheWhole: readonly Mutation[] = [
  mutation(
    'known-event',
    'an unknown type',
    at(isItemEvent, (event) => [{ ...event, type: 'x' }]),
  ),
  mutation('known-event', 'one field too many', withFields(isItemEvent, { extra: 1 })),
  mutation('known-event', 'no id of the item', withFields(isItemEvent, { item_id: undefined })),
  mutation('known-event', 'an index below 0', withFields(isItemEvent, { output_index: -1 })),
  mutation('opening', 'no response.created', removed(typed('created'))),
  mutation('opening', 'no response.in_progress', removed(typed('in_progress'))),
  mutation('opening', 'response.created twice', doubled(typed('created'))),
  mutation('debug-first', 'debug after the first event', (events) =>
    events[0]?.type === 'response.debug'
      ? undefined
      : numbered(events.toSpliced(1, 0, { type: 'response.debug', debug: {} })),
  ),
  mutation(
    'opening-snapshot',
    'output from the beginning',
    inside(typed('created'), 'response', { output: [{}] }),
  ),
  mutation(
    'opening-snapshot',
    'an end from the beginning',
    inside(typed('in_progress'), 'response', { completed_at: 1 }),
  ),
  mutation(
    'opening-snapshot',
    'another status',
    inside(typed('created'), 'response', { status: 'queued' }),
  ),
  mutation(
    'same-response',
    'another id at the end',
    inside(isTerminal, 'response', { id: 'resp_2' }),
  ),
  mutation('same-response', 'another time', inside(isTerminal, 'response', { created_at: 1 })),
  mutation(
    'same-response',
    'other tools',
    inside(typed('in_progress'), 'response', { tools: [1] }),
  ),
  mutation('terminal', 'no end', removed(isTerminal)),
  mutation('terminal', 'two ends', doubled(isTerminal)),
  mutation(
    'terminal',
    'a status that is not the type',
    inside(isTerminal, 'response', { status: 'cancelled' }),
  ),
  mutation('terminal', 'an event after the end', (events) => {
    const last = events.at(-1);
    return last && numbered([...events, { type: 'response.debug', debug: {} }]);
  }),
  mutation('usage', 'usage before the end', inside(typed('created'), 'response', { usage: {} })),
  mutation(
    'usage',
    'no usage at the end',
    inside(typed('completed', 'incomplete'), 'response', { usage: null }),
  ),
  mutation(
    'usage',
    'a wrong sum',
    inside(isTerminal, 'response', {
      usage: { input_tokens: 1, output_tokens: 1, total_tokens: 3 },
    }),
  ),
  mutation(
    'outcome',
    'an error of a success',
    inside(typed('completed'), 'response', { error: { code: 'x', message: 'x' }, error_type: 'x' }),
  ),
  mutation(
    'outcome',
    'a failure without error',
    inside(typed('failed'), 'response', { error: null }),
  ),
  mutation(
    'outcome',
    'a failure without type',
    inside(typed('failed'), 'response', { error_type: undefined }),
  ),
  mutation(
    'outcome',
    'incomplete without why',
    inside(typed('incomplete'), 'response', { incomplete_details: null }),
  ),
  mutation(
    'outcome',
    'completed, nobody knows when',
    inside(typed('completed'), 'response', { completed_at: null }),
  ),
  mutation('error-event', 'an error in place of the end', (events) =>
    numbered([...events.slice(0, -1), { type: 'error', code: 'x', message: 'x', param: null }]),
  ),
  mutation(
    'deltas-add-up',
    'another output_text',
    inside(isTerminal, 'response', { output_text: 'never said' }),
  ),
  mutation(
    'snapshot-output',
    'an item is missing at the end',
    at(hasOutput, (event) => {
      const response = event['response'] as Fields;
      return [
        { ...event, response: { ...response, output: (response['output'] as unknown[]).slice(1) } },
      ];
    }),
  ),
  mutation(
    'snapshot-output',
    'an item that is still in progress',
    at(hasOutput, (event) => {
      const response = event['response'] as Fields;
      const [first, ...rest] = response['output'] as readonly Fields[];
      const output = [{ ...first, status: 'in_progress' }, ...rest];
      return [{ ...event, response: { ...response, output } }];
    }),
  ),
];

const ofItems: readonly Mutation[] = [
  mutation(
    'items-in-order',
    'an index is left out',
    at(typed('output_item.added'), (event) => [
      { ...event, output_index: Number(event['output_index']) + 1 },
    ]),
  ),
  mutation(
    'item-open',
    'an event of an item that never opened',
    withFields(isItemEvent, { output_index: 99 }),
  ),
  mutation('item-open', 'an item that is done twice', doubled(typed('output_item.done'))),
  mutation('item-open', 'an event after the item was done', (events) => {
    const place = events.findLastIndex(isItemEvent);
    const event = events[place];
    const done = events.findIndex(
      (each) =>
        each.type === 'response.output_item.done' &&
        each['output_index'] === event?.['output_index'],
    );
    return event && done > place ? numbered(events.toSpliced(done + 1, 0, event)) : undefined;
  }),
  mutation('item-id', 'another id in an event', withFields(isItemEvent, { item_id: 'other' })),
  mutation(
    'item-id',
    'another id when it is done',
    inside(typed('output_item.done'), 'item', { id: 'other' }),
  ),
  mutation(
    'item-id',
    'an id of another form',
    inside(typed('output_item.added'), 'item', { id: 'x' }),
  ),
  mutation(
    'item-begins-empty',
    'an item opens completed',
    inside(typed('output_item.added'), 'item', { status: 'completed' }),
  ),
  mutation(
    'item-begins-empty',
    'a call opens with arguments',
    inside(both(typed('output_item.added'), isCallItem), 'item', { arguments: '{}' }),
  ),
  mutation(
    'item-begins-empty',
    'an item opens with content',
    inside(typed('output_item.added'), 'item', { content: [noise] }),
  ),
  mutation(
    'item-kind',
    'an event of another kind',
    at(isItemEvent, (event) => [
      {
        type: 'response.fusion_call.in_progress',
        item_id: event['item_id'],
        output_index: event['output_index'],
      },
    ]),
  ),
  mutation(
    'item-kind',
    'another type when it is done',
    inside(typed('output_item.done'), 'item', { type: 'shell_call' }),
  ),
  mutation(
    'item-kind',
    'another name at the end of the arguments',
    withFields(typed('function_call_arguments.done'), { name: 'h' }),
  ),
  mutation(
    'item-kind',
    'another call_id when it is done',
    inside(both(typed('output_item.done'), isCallItem), 'item', { call_id: 'x' }),
  ),
  mutation('all-closed', 'an item is never done', (events, pick) =>
    events.at(-1)?.type === 'response.failed'
      ? undefined
      : removed(typed('output_item.done'))(events, pick),
  ),
  mutation(
    'all-closed',
    'an item is done in progress',
    inside(typed('output_item.done'), 'item', { status: 'in_progress' }),
  ),
];

const ofTexts: readonly Mutation[] = [
  mutation(
    'parts-in-order',
    'an index is left out',
    at(typed('content_part.added'), (event) => [
      { ...event, content_index: Number(event['content_index']) + 1 },
    ]),
  ),
  mutation(
    'parts-in-order',
    'a summary is left out',
    at(typed('reasoning_summary_part.added'), (event) => [
      { ...event, summary_index: Number(event['summary_index']) + 1 },
    ]),
  ),
  mutation(
    'part-open',
    'a piece of a part that never opened',
    withFields(typed('output_text.delta', 'refusal.delta', 'reasoning_text.delta'), {
      content_index: 99,
    }),
  ),
  mutation(
    'part-open',
    'a piece of a summary that never opened',
    withFields(typed('reasoning_summary_text.delta'), { summary_index: 99 }),
  ),
  mutation('part-open', 'a part is done twice', doubled(isPartDone)),
  mutation(
    'part-kind',
    'a refusal in a text',
    at(typed('output_text.delta'), ({ logprobs: _logprobs, ...event }) => [
      { ...event, type: 'response.refusal.delta' },
    ]),
  ),
  mutation(
    'part-kind',
    'a part is done as another',
    inside(both(typed('content_part.done'), isTextPart), 'part', { type: 'refusal' }),
  ),
  mutation('text-done-once', 'a text is done twice', doubled(isTextDone)),
  mutation('text-done-once', 'a piece after the end of the text', (events, pick) => {
    const deltas = events.filter(isDelta);
    const delta = deltas[pick % Math.max(deltas.length, 1)];
    const done = events.findIndex(
      (event) =>
        delta !== undefined &&
        event.type === delta.type.replace('.delta', '.done') &&
        ['item_id', 'content_index', 'summary_index'].every((name) => event[name] === delta[name]),
    );
    return delta && done > 0 ? numbered(events.toSpliced(done + 1, 0, delta)) : undefined;
  }),
  mutation('deltas-add-up', 'a piece is lost', removed(isDelta)),
  mutation('deltas-add-up', 'a piece comes twice', doubled(isDelta)),
  mutation(
    'deltas-add-up',
    'another text at its end',
    at(isTextDone, (event) => {
      const field = ['text', 'refusal', 'arguments', 'input'].find((name) => name in event) ?? '';
      return [{ ...event, [field]: `${String(event[field])}!` }];
    }),
  ),
  mutation(
    'deltas-add-up',
    'another text in the part',
    at(isPartDone, (event) => {
      const part = event['part'] as Fields;
      const field = 'refusal' in part ? 'refusal' : 'text';
      return [{ ...event, part: { ...part, [field]: `${String(part[field])}!` } }];
    }),
  ),
  mutation(
    'deltas-add-up',
    'other arguments in the item',
    inside(both(typed('output_item.done'), isCallItem), 'item', { arguments: '!' }),
  ),
  mutation(
    'annotations',
    'a number is left out',
    withFields(typed('output_text.annotation.added'), { annotation_index: 9 }),
  ),
  mutation('annotations', 'one is missing in the part', (events, pick) =>
    events.some(({ type }) => type.endsWith('annotation.added'))
      ? at(
          (event) =>
            both(typed('content_part.done'), isTextPart)(event) &&
            ((event['part'] as Fields)['annotations'] as unknown[]).length > 0,
          (event) => [{ ...event, part: { ...(event['part'] as Fields), annotations: [] } }],
        )(events, pick)
      : undefined,
  ),
  mutation(
    'logprobs',
    'more at the end than before',
    withFields(typed('output_text.done'), { logprobs: [1, 2, 3, 4, 5] }),
  ),
  mutation(
    'logprobs',
    'more in the part than before',
    inside(both(typed('content_part.done'), isTextPart), 'part', { logprobs: [1, 2, 3, 4, 5] }),
  ),
  mutation('all-closed', 'a text is never done', (events, pick) => {
    const isLeft = events.at(-1)?.type === 'response.failed';
    return isLeft ? undefined : removed(isTextDone)(events, pick);
  }),
  mutation('all-closed', 'a part is never done', (events) => {
    const isLeft = events.at(-1)?.type === 'response.failed';
    // The last part of an item: the next part would find it open.
    const place = events.findLastIndex(isPartDone);
    return isLeft || place < 0 ? undefined : numbered(events.toSpliced(place, 1));
  }),
];

/** Every rule about events, broken in every way that we thought of. */
export const mutations: readonly Mutation[] = [...ofNumbers, ...ofTheWhole, ...ofItems, ...ofTexts];
