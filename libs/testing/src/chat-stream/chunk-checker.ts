import { chatRule } from './rules.ts';

type Loose = Readonly<Record<string, unknown>>;

export interface Chunk {
  readonly id: string;
  readonly object: string;
  readonly created: number;
  readonly model: string;
  readonly choices: readonly Choice[];
  readonly usage?: Loose;
  readonly error?: Loose;
  readonly debug?: Loose;
  readonly service_metadata?: Loose;
}

interface Choice {
  readonly index: number;
  readonly delta: Delta;
  readonly finish_reason: string | null;
  readonly native_finish_reason: string | null;
  readonly logprobs?: Loose | null;
}

interface Delta {
  readonly role?: string;
  readonly content?: string;
  readonly reasoning?: string;
  readonly reasoning_details?: readonly Detail[];
  readonly tool_calls?: readonly CallDelta[];
  readonly [name: string]: unknown;
}

interface Detail {
  readonly index: number;
  readonly id?: string;
  readonly format?: string;
  readonly text?: string;
  readonly summary?: string;
}

interface CallDelta {
  readonly index: number;
  readonly id?: string;
  readonly type?: 'function' | 'custom';
  readonly function?: { readonly name?: string; readonly arguments: string };
  readonly custom?: { readonly name?: string; readonly input: string };
}

const words = ['stop', 'length', 'tool_calls', 'function_call', 'content_filter', 'error'];

/** Holds the chunks of one stream against every rule. */
export class ChunkChecker {
  readonly #generationId: string | undefined;
  #first: Chunk | undefined;
  #hasRole = false;
  #reason: string | undefined;
  #hasBooks = false;
  #isEnded = false;
  readonly #calls: { readonly type: string; text: string }[] = [];
  /** The ids of the thoughts, by their index. */
  readonly #thoughtIds: (string | undefined)[] = [];

  constructor(generationId?: string) {
    this.#generationId = generationId;
  }

  get isEnded(): boolean {
    return this.#isEnded;
  }

  /** Takes an event. Returns its chunk; undefined for the error that ends a broken answer. */
  take(data: unknown): Chunk | undefined {
    if (isError(data)) {
      this.#error(data);
      return undefined;
    }
    const chunk = chunkOf(data);
    this.#first ??= chunk;
    const { id, created } = this.#first;
    chatRule('same-completion', chunk.id === id && chunk.created === created, () => chunk.id);
    const expected = this.#generationId ?? id;
    chatRule('generation-id', id === expected, () => `${id} for ${expected}`);
    chatRule('finish-once', !this.#isEnded, () => 'a chunk comes after the last one');
    chatRule('error-last', chunk.error === undefined, () => 'an error beside choices');
    const [choice] = chunk.choices;
    if (this.#reason !== undefined) this.#books(chunk);
    else if (choice) this.#choice(chunk, choice);
    else {
      const isReport = Object.keys(chunk).length === 6 && chunk.debug !== undefined;
      chatRule('debug-alone', isReport, () => Object.keys(chunk).join());
    }
    return chunk;
  }

  #choice(chunk: Chunk, choice: Choice): void {
    const { delta, finish_reason: reason } = choice;
    chatRule('role-first', (delta.role === 'assistant') === !this.#hasRole, () => 'role');
    const isFirst = !this.#hasRole;
    this.#hasRole = true;
    const isLast = reason !== null;
    const isSaying = Object.keys(delta).length > 0;
    chatRule('no-empty-delta', isFirst || isLast || isSaying, () => 'an empty delta');
    for (const call of delta.tool_calls ?? []) this.#call(call);
    this.#thoughts(delta);
    chatRule('usage-last', chunk.usage === undefined, () => 'usage before the end');
    if (reason !== null) this.#end(reason);
  }

  #call({ index, id, type, function: called, custom }: CallDelta): void {
    const known = this.#calls[index];
    const isNext = index === this.#calls.length;
    chatRule('calls-in-order', known !== undefined || isNext, () => String(index));
    const name = called?.name ?? custom?.name;
    const isNamed = id !== undefined && type !== undefined && name !== undefined;
    const isNameless = id === undefined && type === undefined && name === undefined;
    chatRule('call-begins', known ? isNameless : isNamed, () => `call ${String(index)}`);
    const kind = custom ? 'custom' : 'function';
    chatRule('call-kind', kind === (known?.type ?? type), () => kind);
    const text = called?.arguments ?? custom?.input ?? '';
    if (known) known.text += text;
    else this.#calls.push({ type: kind, text });
  }

  #thoughts({ reasoning, reasoning_details: details = [] }: Delta): void {
    for (const { index, id, format } of details) {
      const isKnown = index <= this.#thoughtIds.length;
      chatRule('thoughts-in-order', isKnown, () => String(index));
      const isMarked = id !== undefined && format !== undefined;
      const isOne = id === (this.#thoughtIds[index] ?? id);
      const isOther = this.#thoughtIds.every((known, at) => known !== id || at === index);
      chatRule('thought-marks', isMarked && isOne && isOther, () => `${id} of ${index}`);
      this.#thoughtIds[index] = id;
    }
    const told = details.map(({ text, summary }) => text ?? summary ?? '').join('');
    chatRule('reasoning-twice', told === (reasoning ?? ''), () => `${told} and ${reasoning ?? ''}`);
  }

  #end(reason: string): void {
    this.#reason = reason;
    const hasCalls = this.#calls.length > 0;
    const fits = words.includes(reason) && (reason !== 'stop' || !hasCalls);
    chatRule('finish-word', fits && (reason !== 'tool_calls' || hasCalls), () => reason);
    if (reason === 'tool_calls')
      for (const { type, text } of this.#calls)
        chatRule('call-arguments', type === 'custom' || isJson(text), () => text);
  }

  /** Takes the chunk after the finish reason. */
  #books({ choices, usage, debug }: Chunk): void {
    const isAlone = choices.length === 0 && debug === undefined;
    const isFirst = isAlone && !this.#hasBooks;
    chatRule('finish-once', isFirst, () => 'a chunk comes after the finish reason');
    this.#hasBooks = true;
    const isBroken = this.#reason === 'error';
    if (!isBroken || usage !== undefined) checkSum(usage);
    this.#isEnded = !isBroken;
  }

  /** Takes the event that ends a broken answer. A stream that the gateway ends has no usage. */
  #error(event: Loose): void {
    const isDue = !this.#isEnded && this.#reason === 'error';
    const isAlone = Object.keys(event).length === 1;
    chatRule('error-last', isDue && isAlone, () => Object.keys(event).join());
    this.#isEnded = true;
  }
}

function checkSum(usage: Loose = {}): void {
  const { prompt_tokens: input, completion_tokens: output, total_tokens: total } = usage;
  const isSum = Number(input) + Number(output) === Number(total);
  chatRule('usage-last', isSum, () => JSON.stringify(usage));
}

function isError(data: unknown): data is Loose {
  const { error, choices } = (data ?? {}) as { error?: unknown; choices?: unknown };
  return error !== undefined && choices === undefined;
}

function chunkOf(data: unknown): Chunk {
  const chunk = data as Partial<Chunk> | null;
  const isChunk =
    typeof chunk?.id === 'string' &&
    chunk.object === 'chat.completion.chunk' &&
    Number.isSafeInteger(chunk.created) &&
    typeof chunk.model === 'string' &&
    Array.isArray(chunk.choices) &&
    chunk.choices.length <= 1 &&
    chunk.choices.every(({ index, delta, finish_reason: reason }: Partial<Choice>) => {
      const isReason = reason === null || typeof reason === 'string';
      return index === 0 && typeof delta === 'object' && isReason;
    });
  chatRule('shape', isChunk, () => JSON.stringify(data).slice(0, 120));
  return chunk as Chunk;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
