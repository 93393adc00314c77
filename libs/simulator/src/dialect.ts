import type { Generation, OutputPart } from './generation.ts';
import type { UsageFault } from './directives.ts';
import type { JsonObject, Prompt } from './prompt.ts';

/** One wire protocol: how a request reads and how the same generation is written down. */
export interface Dialect {
  readonly name:
    | 'responses'
    | 'chat-completions'
    | 'messages'
    | 'generate-content'
    | 'embeddings'
    | 'rerank'
    | 'embed-contents';
  /** It counts the input, generates nothing and leaves no receipt. */
  readonly isCount?: true;
  newId(): string;
  /** Throws BadRequest. */
  readPrompt(body: JsonObject): Prompt;
  /** The whole answer as one JSON body. */
  body(served: Served): object;
  /** Returns the stored answer, without its output. undefined: there is none yet. */
  stored(served: Served, state: StoredState): object | undefined;
  /** The answer as the events of a stream, in order. */
  frames(served: Served): Iterable<Frame>;
  /** Returns the body of a refused call. Absent: like OpenAI's. */
  readonly errorBody?: (status: number, message: string) => object;
  /** Returns the end of a stream, or the body, of a generation that breaks. */
  failure(served: Served): Failure;
}

export interface StoredState {
  readonly status: 'in_progress' | 'completed' | 'incomplete' | 'failed' | 'cancelled';
  /** The output that left. */
  readonly parts: readonly OutputPart[];
}

export interface Served {
  readonly id: string;
  readonly createdAtSeconds: number;
  readonly prompt: Prompt;
  readonly generation: Generation;
  readonly usageFault: UsageFault | undefined;
}

export type Frame =
  /** Carries no output. */
  | { readonly type: 'open'; readonly bytes: string }
  /** Carries a piece of the output part with this number. */
  | { readonly type: 'chunk'; readonly part: number; readonly text: string; readonly bytes: string }
  /** Ends the answer: sent only when the receipt is on disk. */
  | { readonly type: 'terminal'; readonly bytes: string };

export interface Failure {
  readonly frames: string;
  readonly status: number;
  readonly body: object;
}

/** Returns a server-sent event that has its type in its data, too. */
export function event(type: string, payload: object): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...payload })}\n\n`;
}

/** The error body of OpenAI's dialects. */
export function errorBody(status: number, message: string): object {
  const types: Readonly<Record<number, string>> = {
    401: 'authentication_error',
    404: 'not_found_error',
    429: 'rate_limit_error',
  };
  const type = types[status] ?? (status < 500 ? 'invalid_request_error' : 'server_error');
  return { error: { message, type, param: null, code: `sim_${status}` } };
}

/** The token counts as an answer reports them; null: it reports none. */
export function reportedUsage(
  { generation, usageFault }: Served,
  usageOf: (generation: Generation) => object,
): unknown {
  const usage = usageOf(generation);
  switch (usageFault) {
    case undefined:
      return usage;
    case 'none':
      return null;
    case 'negative':
      return mapped(usage, (count) => -1 - count);
    case 'absurd':
      return mapped(usage, (count) => count + absurdTokens);
    case 'garbled':
      return { ...usage, input_tokens: 'many', prompt_tokens: 'many' };
  }
}

/** More than any model can read or write. */
const absurdTokens = 1_000_000_000_000;

function mapped(usage: object, change: (count: number) => number): object {
  return Object.fromEntries(
    Object.entries(usage).map(([name, value]: [string, unknown]) => [
      name,
      typeof value === 'number' ? change(value) : value,
    ]),
  );
}
