import { isDeepStrictEqual } from 'node:util';
import { isObject, type Loose, type StreamEvent } from './event-shapes.ts';
import { PartList } from './part-checker.ts';
import { rule } from './rules.ts';
import { differs, same, textEventOf, TextFlow } from './text-flow.ts';

/** The events and fields of an item type. */
interface ItemKind {
  /** The prefix of its id. */
  readonly prefix: string;
  /** Beginnings of the types of its own events. */
  readonly events: readonly string[];
  readonly parts?: readonly string[];
  readonly hasSummaries?: true;
  /** The place of its one text that belongs to no part, and the family of its events. */
  readonly text?: { readonly family: string; readonly path: readonly string[] };
  readonly required?: readonly string[];
}

const content = ['response.content_part.'];
const search = ['response.web_search_call.'];
const drawing = ['response.image_generation_call.'];
const patching = {
  events: ['response.apply_patch_call_operation_diff.'],
  text: {
    family: 'response.apply_patch_call_operation_diff',
    path: ['operation', 'diff'],
  },
};

const itemKinds: Readonly<Record<string, ItemKind>> = {
  message: {
    prefix: 'msg_',
    events: [...content, 'response.output_text.', 'response.refusal.'],
    parts: ['output_text', 'refusal'],
    required: ['status', 'role', 'content'],
  },
  reasoning: {
    prefix: 'rs_',
    events: [...content, 'response.reasoning_text.', 'response.reasoning_summary_'],
    parts: ['reasoning_text'],
    hasSummaries: true,
    required: ['summary'],
  },
  function_call: {
    prefix: 'fc_',
    events: ['response.function_call_arguments.'],
    text: { family: 'response.function_call_arguments', path: ['arguments'] },
    required: ['status', 'call_id', 'name', 'arguments'],
  },
  custom_tool_call: {
    prefix: 'ctc_',
    events: ['response.custom_tool_call_input.'],
    text: { family: 'response.custom_tool_call_input', path: ['input'] },
    required: ['call_id', 'name', 'input'],
  },
  web_search_call: { prefix: 'ws_', events: search },
  image_generation_call: { prefix: 'ig_', events: drawing },
  code_interpreter_call: {
    prefix: 'ci_',
    events: ['response.code_interpreter_call.', 'response.code_interpreter_call_code.'],
    text: { family: 'response.code_interpreter_call_code', path: ['code'] },
  },
  apply_patch_call: { prefix: 'apc_', ...patching },
  shell_call: { prefix: 'shc_', events: [] },
  shell_call_output: { prefix: 'sho_', events: [] },
  tool_search_call: { prefix: 'tsc_', events: [] },
  tool_search_output: { prefix: 'tso_', events: [] },
  'service:web_search': { prefix: 'st_', events: search },
  'service:image_generation': { prefix: 'st_', events: drawing },
  'service:apply_patch': { prefix: 'st_', ...patching },
  'service:fusion': { prefix: 'st_', events: ['response.fusion_call.'] },
  'service:advisor': {
    prefix: 'st_',
    events: ['response.output_text.'],
    text: { family: 'response.output_text', path: ['advice'] },
  },
};

function kindOf(type: string): ItemKind {
  if (Object.hasOwn(itemKinds, type)) return itemKinds[type] ?? { prefix: '', events: [] };
  return { prefix: type.startsWith('service:') ? 'st_' : '', events: [] };
}

/** The steps of a call that a server runs. The one in the middle has a name of its kind. */
const callPattern =
  /^response\.(?:web_search|image_generation|code_interpreter|fusion)_call\.(\w+)$/;
const steps: ReadonlyMap<string, number> = new Map([
  ['in_progress', 1],
  ['searching', 2],
  ['generating', 2],
  ['interpreting', 2],
  ['completed', 3],
]);

function stepOf(type: string): number | undefined {
  const [, name = ''] = callPattern.exec(type) ?? [];
  return steps.get(name);
}

/** The kinds that are written part by part. */
const ownKinds: ReadonlySet<string> = new Set([
  'message',
  'reasoning',
  'function_call',
  'custom_tool_call',
]);

const nothing = ['', [], {}];

function isNothing(value: unknown): boolean {
  return nothing.some((one) => isDeepStrictEqual(value, one));
}

/** One item from its opening to its end, and in the last snapshot. */
export class ItemChecker {
  readonly id: string;
  readonly #kind: ItemKind;
  readonly #opened: Loose;
  readonly #parts: PartList;
  readonly #mayCorrect: boolean;
  readonly #summaries: PartList;
  #flow: TextFlow | undefined;
  /** The last step of the call; 0: none was told. */
  #step = 0;
  #done: Loose | undefined;

  constructor(item: Loose, mayCorrect: boolean) {
    this.#mayCorrect = mayCorrect;
    const type = String(item['type']);
    this.#kind = kindOf(type);
    this.#opened = item;
    this.id = String(item['id']);
    this.#parts = new PartList(this.#kind.parts ?? [], mayCorrect);
    this.#summaries = new PartList(this.#kind.hasSummaries ? ['summary_text'] : [], mayCorrect);
    rule('item-id', this.id.startsWith(this.#kind.prefix), () => `${this.id} of a ${type}`);
    for (const field of this.#kind.required ?? [])
      rule('item-begins-empty', field in item, () => `${type} has no ${field}`);
    const status = item['status'] ?? 'in_progress';
    rule(
      'item-begins-empty',
      status === 'in_progress',
      () => `${type} opens as ${JSON.stringify(status)}`,
    );
    const texts = ['arguments', 'input', 'content', 'summary'].map((name) => item[name] ?? '');
    const isEmpty = texts.every(isNothing);
    rule('item-begins-empty', isEmpty, () => `${type} opens with ${JSON.stringify(texts)}`);
  }

  get isDone(): boolean {
    return this.#done !== undefined;
  }

  /**
   * Returns true for a worker that goes on in a later response: an item of the output is a call that it made for the
   * client.
   */
  isWaitingFor(output: readonly Loose[]): boolean {
    const { type, call_id: id } = this.#opened;
    if (type !== 'service:subagent' || this.isDone || id === undefined) return false;
    return output.some(({ subagent_id: caller }) => caller === id);
  }

  /** An event between the opening and the end. */
  take(event: StreamEvent): void {
    rule('item-open', !this.isDone, () => `${event.type} after the item was done`);
    rule('item-id', event['item_id'] === this.id, () =>
      differs(event.type, event['item_id'], this.id),
    );
    const isOwn = this.#kind.events.some((beginning) => event.type.startsWith(beginning));
    rule('item-kind', isOwn, () => `${event.type} in a ${String(this.#opened['type'])}`);
    const step = stepOf(event.type);
    if (step !== undefined) {
      rule('progress-in-order', step > this.#step, () => `${event.type} after step ${this.#step}`);
      this.#step = step;
    }
    const told = textEventOf(event.type);
    if ('summary_index' in event)
      this.#takeIn(this.#summaries, Number(event['summary_index']), event);
    else if ('content_index' in event && this.#kind.parts)
      this.#takeIn(this.#parts, Number(event['content_index']), event);
    else if (told) {
      this.#flow ??= new TextFlow(this.#mayCorrect);
      this.#flow.take(told, event);
      if ('name' in event) same('item-kind', [this.#opened, event], ['name']);
    }
  }

  #takeIn(list: PartList, index: number, event: StreamEvent): void {
    const { type } = event;
    const told = textEventOf(type);
    if (told) list.at(index).text(told, event);
    else if (type.endsWith('part.added')) list.open(index, partOf(event));
    else if (type.endsWith('part.done')) list.at(index).close(partOf(event));
    else list.at(index).annotation(event);
  }

  done(item: Loose): void {
    rule('item-open', !this.isDone, () => 'an item is done twice');
    rule('item-id', item['id'] === this.id, () => differs('the item', item['id'], this.id));
    same('item-kind', [this.#opened, item], ['type', 'call_id', 'name', 'role']);
    rule('all-closed', item['status'] !== 'in_progress', () => 'an item is done in progress');
    const isToldCompleted = this.#step === 0 || this.#step === 3;
    rule('progress-in-order', item['status'] !== 'completed' || isToldCompleted, () =>
      differs('the last step', this.#step, 3),
    );
    this.#parts.allClosed();
    this.#summaries.allClosed();
    // A call reports its text also when that is empty.
    const { text, required = [] } = this.#kind;
    const isCall = text !== undefined && required.includes(text.path[0] ?? '');
    const isTold = this.#flow ? this.#flow.isDone : !isCall;
    rule('all-closed', isTold, () => 'an item is done before its text');
    this.#compare('the item that is done', item);
    this.#done = item;
  }

  /** The item as the last snapshot has it. */
  inSnapshot(item: Loose, output: readonly Loose[]): void {
    if (this.#done) {
      const isSame = isDeepStrictEqual(item, this.#done);
      rule('snapshot-output', isSame, () => differs('the snapshot', item, this.#done));
      return;
    }
    const isIt = item['id'] === this.id && item['type'] === this.#opened['type'];
    rule('snapshot-output', isIt, () => differs('the snapshot', item, this.#opened));
    const isEnded = item['status'] !== 'in_progress' || this.isWaitingFor(output);
    rule('snapshot-output', isEnded, () => 'an item is in progress in a response that ended');
    // The upstream says the status of the kinds that it has alone, also if it breaks before their end.
    const type = String(item['type']);
    const isOwn = ownKinds.has(type) || type.startsWith('service:');
    const isWhole = isOwn && item['status'] === 'completed';
    rule('all-closed', !isWhole, () => `a ${type} is completed that was never done`);
    this.#compare('the snapshot', item);
  }

  #compare(where: string, item: Loose): void {
    if (this.#kind.parts) this.#parts.compare(where, item['content']);
    if (this.#kind.hasSummaries) this.#summaries.compare(where, item['summary']);
    const { text } = this.#kind;
    if (!text) return;
    const told = text.path.reduce<unknown>(
      (at, name) => (isObject(at) ? at[name] : undefined),
      item,
    );
    const isCall = this.#kind.required !== undefined;
    if (!this.#flow && !isCall) return;
    const expected = this.#flow?.text ?? '';
    const isAllowed = this.#flow?.allows(told) ?? told === expected;
    rule('deltas-add-up', isAllowed, () => differs(where, told, expected));
  }
}

function partOf(event: StreamEvent): Loose {
  return event['part'] as Loose;
}
