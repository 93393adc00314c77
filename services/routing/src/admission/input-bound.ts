import type {
  ContentPart,
  InferenceRequest,
  InputItem,
  Tool,
  UsageBounds,
} from '@sluice/inference';

/** More tokens than any provider makes of one picture, whatever its size. */
const imageTokensMax = 16_384;
/** What a provider makes of a sound beyond the bytes of its base64. */
const audioTokensMax = 256;
/** For a model whose context nobody told us. */
const contextTokensMax = 2_097_152;

/** Instructions that a server puts before every prompt: the longest known template has 70 tokens. */
const requestFraming = 96;
/** Role marks, names, ids and separators of an item, and of a part of it. */
const itemFraming = 16;
const partFraming = 4;
/** What a server tells the model about tools or a form of the answer. Anthropic's instructions have 346 tokens. */
const toolsFraming = 512;
const formatFraming = 128;

/** What the adapters write where an item cannot be told as it is: an answer that is missing, a first turn. */
const rewordedTokens = 64;
/** Bytes of a custom tool as a function: its parameters. */
const customToolTokens = 128;
/** JSON that is parsed and written again grows where a number has an exponent: 1e20 has 21 digits then. */
const exponentPattern = /\d[eE]/;
const rewrittenFactor = 2;

/** What the input of a request can be at most. */
export type InputBounds = Required<Pick<UsageBounds, 'inputTokensMax' | 'imagesMax'>>;

/** What a request says of its input, whatever model reads it. */
export interface InputMeasure {
  /** Of the texts, pictures and sounds in the request itself: a text has at most as many tokens as bytes. */
  readonly tokensMax: number;
  /** What servers add around them; absent: nothing. */
  readonly framingTokensMax?: number;
  readonly imagesMax: number;
  /** Some of it lies elsewhere and can at most fill the context. */
  readonly isUnbounded: boolean;
}

/** What of the input is no text. */
export interface InputMedia {
  /** Pictures, files, sounds and films. */
  readonly mediaCount: number;
  /** Of them, sounds. */
  readonly audioCount: number;
}

/**
 * Measures the canonical request: what is said to the model, not the body that it came in. A picture has a bound of
 * its own; of a document, or of what lies behind a URL, the bytes say nothing.
 */
export function inputMeasure(request: InferenceRequest): InputMeasure & InputMedia {
  const tally = new Tally();
  for (const item of request.items) tally.addItem(item);
  for (const value of Object.values(request.prompt?.variables ?? {}))
    if (typeof value === 'string') tally.addText(value);
    else tally.addPart(value);
  tally.addTools(request.tools);
  const { format } = request.options ?? {};
  if (format) tally.addFramed(JSON.stringify(format), formatFraming);
  // What the provider's own tools and items hold is known to it alone.
  const isUnbounded =
    tally.isUnbounded ||
    request.prompt !== undefined ||
    request.tools.some(({ type }) => type === 'native') ||
    request.items.some(({ type }) => type === 'native');
  return {
    tokensMax: tally.tokens,
    framingTokensMax: tally.framing,
    imagesMax: tally.images,
    mediaCount: tally.media,
    audioCount: tally.sounds,
    isUnbounded,
  };
}

/**
 * Returns an upper bound of the input as one model reads it. `addsFraming` is false of a server that counts
 * the texts alone; a context length that is undefined is not known.
 */
export function inputBounds(
  { tokensMax, framingTokensMax = 0, imagesMax, isUnbounded }: InputMeasure,
  {
    contextLength,
    addsFraming,
  }: { readonly contextLength: number | undefined; readonly addsFraming: boolean },
): InputBounds {
  const contextTokens = isUnbounded ? (contextLength ?? contextTokensMax) : 0;
  const told = addsFraming ? tokensMax + framingTokensMax : tokensMax;
  return { inputTokensMax: Math.max(told, contextTokens), imagesMax };
}

/** Adds up the parts of a request. */
class Tally {
  tokens = 0;
  framing = requestFraming;
  images = 0;
  media = 0;
  sounds = 0;
  isUnbounded = false;

  addText(text: string): void {
    this.tokens += Buffer.byteLength(text);
    this.framing += partFraming;
  }

  /** Some dialects parse such a text and write it anew. */
  addJson(text: string): void {
    this.addText(text);
    if (exponentPattern.test(text)) this.tokens += (rewrittenFactor - 1) * Buffer.byteLength(text);
  }

  addFramed(text: string, framing: number): void {
    this.tokens += Buffer.byteLength(text);
    this.framing += framing;
  }

  addItem(item: InputItem): void {
    this.framing += itemFraming;
    if (item.type !== 'message' || item.role === 'assistant') this.tokens += rewordedTokens;
    switch (item.type) {
      case 'message':
        for (const part of item.content) this.addPart(part);
        break;
      case 'function-call':
        this.addCall(item);
        this.addJson(item.arguments);
        break;
      case 'custom-tool-call':
        this.addCall(item);
        this.addText(JSON.stringify(item.input));
        break;
      case 'function-call-output':
      case 'custom-tool-call-output':
        this.addOutput(item);
        break;
      case 'reasoning':
        for (const text of [...item.summary, ...item.content]) this.addText(text);
        this.addText(item.encrypted ?? '');
        this.addText(item.signature ?? '');
        break;
      case 'native':
        this.addText(JSON.stringify(item.item));
    }
  }

  addCall({ name, callId }: { readonly name: string; readonly callId: string }): void {
    this.tokens += Buffer.byteLength(name) + Buffer.byteLength(callId);
  }

  addOutput({
    output,
    callId,
  }: Extract<InputItem, { readonly output: string | readonly ContentPart[] }>): void {
    this.tokens += Buffer.byteLength(callId);
    if (typeof output === 'string') return this.addJson(output);
    for (const part of output)
      if (part.type === 'text') this.addJson(part.text);
      else this.addPart(part);
  }

  addPart(part: ContentPart): void {
    this.framing += partFraming;
    if (part.type === 'text') {
      this.tokens += Buffer.byteLength(part.text);
      return;
    }
    this.media += 1;
    switch (part.type) {
      case 'audio':
        this.sounds += 1;
        this.tokens += Buffer.byteLength(part.data) + audioTokensMax;
        break;
      case 'image':
        this.images += 1;
        this.tokens += imageTokensMax;
        break;
      case 'file':
      case 'video':
        this.isUnbounded = true;
    }
  }

  addTools(tools: readonly Tool[]): void {
    if (tools.length === 0) return;
    this.framing += toolsFraming;
    for (const tool of tools) {
      const extra = tool.type === 'custom' ? customToolTokens : 0;
      this.tokens += Buffer.byteLength(JSON.stringify(tool)) + extra;
      this.framing += itemFraming;
    }
  }
}
