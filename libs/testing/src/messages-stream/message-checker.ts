import { BlockChecker } from './block-checker.ts';
import { type Loose, type MessageEvent, shapedEvent, type StartedMessage } from './event-shapes.ts';
import { messageRule } from './rules.ts';

export type { MessageEvent } from './event-shapes.ts';

const words = [
  'end_turn',
  'max_tokens',
  'tool_use',
  'stop_sequence',
  'pause_turn',
  'refusal',
  'model_context_window_exceeded',
  'compaction',
];
const counts = [
  'input_tokens',
  'cache_read_input_tokens',
  'cache_creation_input_tokens',
  'output_tokens',
];

/** Takes the events of one stream in their order; throws BrokenRule at the first rule that one breaks. */
export class MessageChecker {
  readonly #generationId: string | undefined;
  readonly #blocks: BlockChecker[] = [];
  readonly #calls = new Set<string>();
  #open: BlockChecker | undefined;
  #started: StartedMessage | undefined;
  #hasDelta = false;
  #isEnded = false;

  constructor(generationId?: string) {
    this.#generationId = generationId;
  }

  get isEnded(): boolean {
    return this.#isEnded;
  }

  take(data: unknown): MessageEvent {
    const event = shapedEvent(data);
    messageRule('end-once', !this.#isEnded, () => `${event.type} comes after it`);
    if (event.type === 'ping') return event;
    if (event.type === 'error') {
      const expected = this.#generationId ?? event.request_id;
      messageRule('generation-id', event.request_id === expected, () => String(event.request_id));
      this.#isEnded = true;
      return event;
    }
    const isStart = event.type === 'message_start';
    messageRule('start-first', isStart === (this.#started === undefined), () => event.type);
    if (event.type === 'message_start') this.#start(event.message);
    else this.#inMessage(event);
    return event;
  }

  #start(message: StartedMessage): void {
    this.#started = message;
    const { id, type, role, content, stop_reason: reason, usage } = message;
    const isEmpty =
      type === 'message' && role === 'assistant' && content.length === 0 && reason === null;
    messageRule('start-empty', isEmpty, () => JSON.stringify(message).slice(0, 120));
    const tail = this.#generationId?.replace(/^gen-/, '');
    messageRule('generation-id', tail === undefined || id === `msg_${tail}`, () => id);
    counted(usage);
  }

  #inMessage(event: Exclude<MessageEvent, { type: 'message_start' | 'ping' | 'error' }>): void {
    const isLate = this.#hasDelta && event.type !== 'message_stop';
    messageRule('delta-once', !isLate, () => `${event.type} comes after message_delta`);
    switch (event.type) {
      case 'content_block_start':
        return this.#opens(event.index, event.content_block);
      case 'content_block_delta':
        return this.#openAt(event.index).take(event.delta);
      case 'content_block_stop':
        this.#openAt(event.index);
        this.#open = undefined;
        return;
      case 'message_delta':
        this.#hasDelta = true;
        return this.#ends(event.delta.stop_reason, event.usage);
      case 'message_stop':
        messageRule('delta-once', this.#hasDelta, () => 'it is missing');
        this.#isEnded = true;
    }
  }

  #opens(index: number, block: ConstructorParameters<typeof BlockChecker>[0]): void {
    messageRule('one-block-open', this.#open === undefined, () => `block ${String(index)}`);
    const next = this.#blocks.length;
    messageRule('blocks-in-order', index === next, () => `${String(index)}, not ${String(next)}`);
    this.#open = new BlockChecker(block);
    this.#served(this.#open, this.#blocks.at(-1));
    this.#blocks.push(this.#open);
    if (!this.#open.isCall && !this.#open.isServedCall) return;
    const { id = '', name = '' } = block;
    const isNamed = id !== '' && name !== '' && !this.#calls.has(id);
    messageRule('call-ids', isNamed, () => `${id} ${name}`);
    this.#calls.add(id);
  }

  /** A call of the service and its result are neighbors. */
  #served(opened: BlockChecker, before: BlockChecker | undefined): void {
    const called = before?.isServedCall === true ? before.block.id : undefined;
    messageRule('served-calls', opened.resultOf === called, () => String(opened.resultOf));
    if (called !== undefined) before?.endsAsServedCall();
  }

  #openAt(index: number): BlockChecker {
    const isOpen = index === this.#blocks.length - 1 ? this.#open : undefined;
    messageRule('block-open', isOpen !== undefined, () => `block ${String(index)}`);
    return isOpen;
  }

  #ends(reason: string | null, usage: Loose): void {
    messageRule('all-stopped', this.#open === undefined, () => 'one is open');
    const isAnswered = this.#blocks.at(-1)?.isServedCall !== true;
    messageRule('served-calls', isAnswered, () => 'the last one has no result');
    const isKnown = reason !== null && words.includes(reason);
    messageRule('stop-word', isKnown, () => String(reason));
    const hasCalls = this.#blocks.some(({ isCall }) => isCall);
    const fits = reason === 'tool_use' ? hasCalls : reason !== 'end_turn' || !hasCalls;
    messageRule('stop-word', fits, () => `${reason} of ${String(this.#calls.size)} calls`);
    if (reason === 'tool_use') for (const block of this.#blocks) block.endsAsCall();
    counted(usage);
    const before = Number(this.#started?.usage['output_tokens']);
    messageRule('usage', Number(usage['output_tokens']) >= before, () => JSON.stringify(usage));
  }
}

function counted(usage: Loose): void {
  const isCounted = counts.every((name) => {
    const count = usage[name];
    return Number.isSafeInteger(count) && Number(count) >= 0;
  });
  messageRule('usage', isCounted, () => JSON.stringify(usage));
}
