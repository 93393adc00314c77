import { shapedEvent, type Loose, type StreamEvent } from './event-shapes.ts';
import { ItemChecker } from './item-checker.ts';
import { rule } from './rules.ts';
import { closedSnapshot, openSnapshot } from './snapshots.ts';
import { differs, same } from './text-flow.ts';

/** Facts about a stream that are known before it is read. */
export interface StreamExpectation {
  /** The id in the reply's header. */
  readonly generationId?: string | undefined;
  /** An `error` event may stand in for the end of the response. */
  readonly mayBreak?: boolean;
  /** A text that is done may replace that of its deltas: the upstream sent two. */
  readonly mayCorrect?: boolean;
  /** Asked when a stream ends without its end: whether its client had left. */
  readonly isLeft?: () => boolean;
}

const opening = ['response.created', 'response.in_progress'];
const terminals = ['response.completed', 'response.incomplete', 'response.failed'];

/** Takes the events of one stream in their order; throws BrokenRule at the first rule that one breaks. */
export class EventChecker {
  readonly #expectation: StreamExpectation;
  readonly #items: ItemChecker[] = [];
  readonly #ids = new Set<string>();
  #count = 0;
  #opened = 0;
  #isDebugged = false;
  #isEnded = false;
  #first: Loose | undefined;

  constructor(expectation: StreamExpectation = {}) {
    this.#expectation = expectation;
  }

  get isEnded(): boolean {
    return this.#isEnded;
  }

  take(value: unknown): StreamEvent {
    const event = shapedEvent(value);
    const { type } = event;
    rule('terminal', !this.#isEnded, () => `${type} after the end`);
    const number = event.sequence_number;
    rule('sequence-number', number === this.#count, () => differs(type, number, this.#count));
    this.#count += 1;
    if (type === 'error') this.#broken(event);
    else if (type === 'response.debug') this.#debug();
    else if (opening.includes(type)) this.#open(event);
    else {
      rule('opening', this.#opened === opening.length, () => `${type} comes first`);
      if (terminals.includes(type)) this.#end(event);
      else this.#inItem(event);
    }
    return event;
  }

  #broken({ message }: StreamEvent): void {
    rule('error-event', this.#expectation.mayBreak === true, () => String(message));
    this.#isEnded = true;
  }

  #debug(): void {
    if (this.#count === 1) this.#isDebugged = true;
    rule('debug-first', this.#isDebugged, () => 'one comes, but the first event is none');
    rule('debug-first', this.#items.length === 0, () => 'one comes after output');
  }

  #open(event: StreamEvent): void {
    rule('opening', event.type === opening[this.#opened], () => `${event.type} as ${this.#opened}`);
    this.#opened += 1;
    const response = event['response'] as Loose;
    openSnapshot(response);
    this.#isOfOne(response);
  }

  /** The snapshot is of the response that was created. */
  #isOfOne(response: Loose): void {
    const { generationId } = this.#expectation;
    const tail = generationId?.replace(/^gen-/, '');
    const isOfIt = tail === undefined || response['id'] === `resp_${tail}`;
    rule('generation-id', isOfIt, () => `${String(response['id'])} of ${String(generationId)}`);
    if (this.#first) same('same-response', [this.#first, response], constant(this.#first));
    this.#first ??= response;
  }

  #inItem(event: StreamEvent): void {
    const index = Number(event['output_index']);
    if (event.type === 'response.output_item.added') {
      const next = this.#items.length;
      rule('items-in-order', index === next, () => differs(event.type, index, next));
      const item = new ItemChecker(event['item'] as Loose, this.#expectation.mayCorrect === true);
      rule('item-id', !this.#ids.has(item.id), () => `${item.id} is of two items`);
      this.#ids.add(item.id);
      this.#items.push(item);
      return;
    }
    const item = this.#items[index];
    rule('item-open', item !== undefined, () => `${event.type} of ${index}, which did not open`);
    if (event.type === 'response.output_item.done') item.done(event['item'] as Loose);
    else item.take(event);
  }

  #end(event: StreamEvent): void {
    this.#isEnded = true;
    const response = event['response'] as Loose;
    closedSnapshot(event.type, response);
    this.#isOfOne(response);
    const output = response['output'] as readonly Loose[];
    const count = this.#items.length;
    rule('snapshot-output', output.length === count, () => `${output.length} items of ${count}`);
    for (const [index, item] of this.#items.entries()) {
      item.inSnapshot(output[index] ?? {}, output);
      const isLeftOpen = event.type === 'response.failed' || item.isWaitingFor(output);
      const isClosed = item.isDone || isLeftOpen;
      rule('all-closed', isClosed, () => `${event.type} before item ${index} is done`);
    }
  }
}

/** The fields that may change from the first snapshot to the last: the model that serves, and the outcome. */
const changing = [
  'status',
  'output',
  'output_text',
  'usage',
  'error',
  'error_type',
  'incomplete_details',
  'completed_at',
  'model',
  'service_tier',
  'service_metadata',
  'alignment',
];

function constant(response: Loose): readonly string[] {
  return Object.keys(response).filter((name) => !changing.includes(name));
}
