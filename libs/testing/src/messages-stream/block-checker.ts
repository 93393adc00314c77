import type { Block, Delta } from './event-shapes.ts';
import { messageRule } from './rules.ts';

/** The fields with which a block of a kind starts, and the deltas that it may have. */
const kinds: Readonly<
  Record<string, { readonly empty: Readonly<Record<string, unknown>>; readonly deltas: string[] }>
> = {
  text: { empty: { text: '' }, deltas: ['text_delta', 'citations_delta'] },
  thinking: {
    empty: { thinking: '', signature: '' },
    deltas: ['thinking_delta', 'signature_delta'],
  },
  redacted_thinking: { empty: {}, deltas: [] },
  image: { empty: {}, deltas: [] },
  tool_use: { empty: { input: {} }, deltas: ['input_json_delta'] },
  server_tool_use: { empty: { input: {} }, deltas: ['input_json_delta'] },
};

/** The result of a call that the service ran. It comes whole. */
const result: (typeof kinds)[string] = { empty: {}, deltas: [] };

function kindOf({ type }: Block) {
  return type.endsWith('_tool_result') ? result : kinds[type];
}

const contents: Readonly<Record<string, (delta: Delta) => unknown>> = {
  text_delta: ({ text }) => text,
  thinking_delta: ({ thinking }) => thinking,
  signature_delta: ({ signature }) => signature,
  input_json_delta: ({ partial_json: json }) => json,
};

/** Holds one block against the rules of its kind. */
export class BlockChecker {
  readonly block: Block;
  #input = '';
  #isSigned = false;

  constructor(block: Block) {
    this.block = block;
    const kind = kindOf(block);
    messageRule('block-begins-empty', kind !== undefined, () => block.type);
    for (const [name, value] of Object.entries(kind.empty))
      messageRule(
        'block-begins-empty',
        JSON.stringify(block[name]) === JSON.stringify(value),
        () => `${block.type}.${name}`,
      );
  }

  get isCall(): boolean {
    return this.block.type === 'tool_use';
  }

  take(delta: Delta): void {
    const { type } = this.block;
    const isOfKind = kindOf(this.block)?.deltas.includes(delta.type) === true;
    messageRule('block-kind', isOfKind, () => `${delta.type} in ${type}`);
    const content = contents[delta.type]?.(delta) ?? (delta.type === 'citations_delta' ? '' : null);
    messageRule('block-kind', typeof content === 'string', () => `${delta.type} without content`);
    messageRule('signature-last', !this.#isSigned, () => `${delta.type} comes after it`);
    this.#isSigned = delta.type === 'signature_delta';
    if (this.isCall || this.isServedCall) this.#input += content;
  }

  /** The service runs the call, not the client. */
  get isServedCall(): boolean {
    return this.block.type === 'server_tool_use';
  }

  /** The id of the call that the block has the result of. */
  get resultOf(): unknown {
    return kindOf(this.block) === result ? this.block['tool_use_id'] : undefined;
  }

  endsAsServedCall(): void {
    messageRule('served-calls', isJsonObject(this.#input), () => this.#input);
  }

  /** A call of an answer that ends with calls. A call without a delta has no input. */
  endsAsCall(): void {
    if (!this.isCall || this.#input === '') return;
    messageRule('call-arguments', isJsonObject(this.#input), () => this.#input);
  }
}

function isJsonObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}
