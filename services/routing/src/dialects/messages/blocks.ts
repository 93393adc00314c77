import type { AnswerPart, ReasoningReplay, ServedCall } from '@sluice/inference';
import { sealThought } from '../answer/sealed-thought.ts';
import { claudeFormat } from './read-thoughts.ts';

/** A block as it begins. */
export type OpeningBlock =
  | {
      readonly type: 'text';
      readonly text: '';
      readonly annotations?: readonly Readonly<Record<string, unknown>>[];
    }
  | { readonly type: 'thinking'; readonly thinking: ''; readonly signature: '' }
  | { readonly type: 'redacted_thinking'; readonly data: string }
  | {
      readonly type: 'tool_use';
      readonly id: string;
      readonly name: string;
      readonly input: Readonly<Record<string, never>>;
    }
  | PictureBlock
  | ServedBlock;

/** The block of a call that the service ran, whose input follows, or of its result, which comes whole. */
export type ServedBlock =
  | {
      readonly type: 'server_tool_use';
      readonly id: string;
      readonly name: string;
      readonly input: Readonly<Record<string, never>>;
    }
  | {
      readonly type: `${string}_tool_result`;
      readonly tool_use_id: string;
      readonly content: unknown;
    };

/** A picture of the model. Anthropic's models make none, so it has the form of a picture in a request. */
interface PictureBlock {
  readonly type: 'image';
  readonly source: { readonly type: 'base64'; readonly media_type: string; readonly data: string };
}

export type BlockDelta =
  | { readonly type: 'text_delta'; readonly text: string }
  | { readonly type: 'thinking_delta'; readonly thinking: string }
  | { readonly type: 'signature_delta'; readonly signature: string }
  | { readonly type: 'input_json_delta'; readonly partial_json: string }
  | { readonly type: 'citations_delta'; readonly citation: Readonly<Record<string, unknown>> };

/** A step in the life of the one open block. */
export type BlockStep =
  | { readonly step: 'start'; readonly block: OpeningBlock }
  | { readonly step: 'delta'; readonly delta: BlockDelta }
  | { readonly step: 'stop' };

type PartOf<Type extends AnswerPart['type']> = Extract<AnswerPart, { type: Type }>;
export type BlockPart = Exclude<AnswerPart, { type: (typeof otherParts)[number] }>;

/** Parts that say nothing in a message. Events cannot be taken back, so corrections are among them. */
const otherParts = ['response-start', 'unread-usage', 'embeddings', 'ranks', 'correction'] as const;
const others: ReadonlySet<string> = new Set(otherParts);

export function isBlockPart(part: AnswerPart): part is BlockPart {
  return !others.has(part.type);
}

const stop: BlockStep = { step: 'stop' };
const thinking = { type: 'thinking', thinking: '', signature: '' } as const;

/** Stands between two summaries, which clients add to one text. */
const summaryBreak = '\n\n';

/** The block that one part of an answer becomes. It begins with its first content: an empty block says nothing. */
export class PartBlock {
  #isOpen = false;
  #isThought = false;
  #summary = 0;
  #thought = '';
  /** The input of a custom tool, which this dialect sends as JSON. */
  #customInput: string | undefined;
  /** Files that a plugin read. A text that begins has them, so that a client sends them back with it. */
  readonly #files: Readonly<Record<string, unknown>>[] = [];

  take(part: BlockPart): readonly BlockStep[] {
    switch (part.type) {
      case 'text-delta':
      case 'refusal-delta':
        return this.#grown(this.#text(), { type: 'text_delta', text: part.delta });
      case 'text-annotation': {
        if (part.annotation['type'] === 'file') {
          this.#files.push(part.annotation);
          return [];
        }
        const citation = part.citation ?? citationOf(part.annotation);
        if (!citation) return [];
        return this.#grown(this.#text(), { type: 'citations_delta', citation });
      }
      case 'reasoning-delta':
        return this.#think(part.delta);
      case 'reasoning-summary-delta': {
        const isNext = part.summary > this.#summary;
        this.#summary = part.summary;
        return this.#think(isNext ? summaryBreak + part.delta : part.delta);
      }
      case 'reasoning-end':
        return this.#endThought(part.replay);
      case 'tool-call-start':
        return this.#call(part);
      case 'tool-call-delta':
        if (this.#customInput === undefined) return [inputDelta(part.delta)];
        this.#customInput += part.delta;
        return [];
      case 'tool-call-end':
        return this.#endCall();
      case 'image': {
        const { base64: data, mediaType: media_type = 'image/png' } = part;
        const source = { type: 'base64', media_type, data } as const;
        return [{ step: 'start', block: { type: 'image', source } }, stop];
      }
      case 'text-end':
      case 'refusal-end':
        if (this.#isOpen) return [stop];
        return this.#files.length > 0 ? [{ step: 'start', block: this.#text() }, stop] : [];
      case 'text-start':
      case 'refusal-start':
      case 'reasoning-start':
      // Messages have no place for the items of another provider's tools.
      case 'native-start':
      case 'native-end':
      // A block comes with the result.
      case 'tool-item-start':
      case 'tool-item-progress':
      case 'tool-item-suspend':
        return [];
      case 'tool-item-end':
        return servedSteps(part.call);
    }
  }

  /** Closes the block of a part that was cut. */
  cut(): readonly BlockStep[] {
    if (this.#isThought && this.#isOpen) return this.#endThought(undefined);
    if (this.#customInput !== undefined) return this.#endCall();
    return this.#isOpen ? [stop] : [];
  }

  #text(): OpeningBlock {
    const files = this.#files.length > 0 && { annotations: this.#files };
    return { type: 'text', text: '', ...files };
  }

  #think(text: string): readonly BlockStep[] {
    this.#isThought = true;
    this.#thought += text;
    return this.#grown(thinking, { type: 'thinking_delta', thinking: text });
  }

  #endThought(replay: ReasoningReplay | undefined): readonly BlockStep[] {
    if (this.#isOpen) {
      const signature = replay ? signatureOf(replay, this.#thought) : '';
      return [{ step: 'delta', delta: { type: 'signature_delta', signature } }, stop];
    }
    if (!replay) return [];
    const data = redactedData(replay);
    if (data !== undefined)
      return [{ step: 'start', block: { type: 'redacted_thinking', data } }, stop];
    // A Claude model whose thoughts are not shown sends their signature alone, and wants it back.
    const { signature } = replay;
    if (!signature) return [];
    const delta = { type: 'signature_delta', signature } as const;
    return [...this.#grown(thinking, delta), stop];
  }

  #call({ callId: id, name, isCustom }: PartOf<'tool-call-start'>): readonly BlockStep[] {
    this.#isOpen = true;
    if (isCustom) this.#customInput = '';
    return [{ step: 'start', block: { type: 'tool_use', id, name, input: {} } }];
  }

  #endCall(): readonly BlockStep[] {
    if (this.#customInput === undefined) return [stop];
    return [inputDelta(JSON.stringify({ input: this.#customInput })), stop];
  }

  #grown(block: OpeningBlock, delta: BlockDelta): readonly BlockStep[] {
    const grown: BlockStep = { step: 'delta', delta };
    if (this.#isOpen) return [grown];
    this.#isOpen = true;
    return [{ step: 'start', block }, grown];
  }
}

/** The prefix of the ids by which clients tell such calls from their own. */
const servedPrefix = 'srvtoolu_';

/** Returns the blocks of a call that the service ran, and of its result. */
function servedSteps(call: ServedCall): readonly BlockStep[] {
  const { callId, name, result, isError, block } = call;
  const id = callId.startsWith(servedPrefix) ? callId : `${servedPrefix}${callId}`;
  const type = block?.type ?? (`${name}_tool_result` as const);
  const told = isError
    ? { type: `${type}_error`, message: result }
    : [{ type: 'text', text: result }];
  const content = block ? block.content : told;
  return [
    {
      step: 'start',
      block: { type: 'server_tool_use', id, name: block?.name ?? name, input: {} },
    },
    inputDelta(call.arguments),
    stop,
    { step: 'start', block: { type, tool_use_id: id, content } },
    stop,
  ];
}

function inputDelta(json: string): BlockStep {
  return { step: 'delta', delta: { type: 'input_json_delta', partial_json: json } };
}

/** Claude's own signature goes out as it is. What other makers want back is sealed in its place. */
function signatureOf(replay: ReasoningReplay, text: string): string {
  const { format, signature, encrypted } = replay;
  if (format === claudeFormat && signature !== undefined) return signature;
  if (signature === undefined && encrypted === undefined) return '';
  return sealThought(replay, text);
}

/** Returns what stands for a thought that nobody but its maker can read. */
function redactedData(replay: ReasoningReplay): string | undefined {
  const { format, encrypted, signature } = replay;
  if (format === claudeFormat) return encrypted;
  return encrypted === undefined && signature === undefined
    ? undefined
    : sealThought(replay, undefined);
}

/** Returns a citation of a page; undefined: this dialect has no such citation. */
function citationOf(annotation: Readonly<Record<string, unknown>>) {
  const { type, url, title, content } = annotation;
  if (type !== 'url_citation') return undefined;
  return {
    type: 'web_search_result_location',
    url,
    title: title ?? null,
    cited_text: content ?? '',
    encrypted_index: '',
  };
}
