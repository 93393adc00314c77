import type { CatalogEndpoint } from '@sluice/catalog';
import {
  textOf,
  type ContentPart,
  type InferenceRequest,
  type InputItem,
  type StructuredFormat,
  type Tool,
  type ToolChoice,
  type UsageBounds,
} from '@sluice/inference';
import { formatText, isDefinedTool } from '@sluice/providers';
import { formatInWords, tellsFormatInWords } from '../selection/parameters.ts';
import type { ModelBounds, NativeBounds } from './model-bounds.ts';
import { readingsMax } from './readings.ts';
import { searchUnitsMax } from './search-units.ts';
import { choiceTokens, nameTokens, renderedTokens } from './rendered-tools.ts';

/** More tokens than any provider makes of one picture, whatever its size. */
const imageTokensMax = 16_384;
/** Tokens of a sound beyond the bytes of its base64. */
const audioTokensMax = 256;
/** Default for a model whose context length is unknown. */
const contextTokensMax = 2_097_152;

/** Instructions that a server puts before every prompt: the longest known template has 70 tokens. */
const requestFraming = 96;
/** Role marks, names, ids and separators of an item, and of a part of it. */
const itemFraming = 16;
const partFraming = 4;
/** Instructions of a server about tools or the form of the answer. Anthropic's have 346 tokens. */
const toolsFraming = 512;
const formatFraming = 128;

/** Bytes that dialects add around an item that they must convert: a first turn, a second answer, an empty text. */
const rewordedTokens = 64;
/** Bytes that dialects write where a call has no answer of its own. */
const unansweredTokens = 96;

/** Upper bounds of the input of a request. */
export type InputBounds = Omit<UsageBounds, 'outputTokensMax'>;

/** The size of a request's input, whatever model reads it. */
export interface InputMeasure {
  /** Tokens of the texts, pictures and sounds in the request: a text has at most as many tokens as bytes. */
  readonly tokensMax: number;
  /** Tokens that servers add around them; absent: none. */
  readonly framingTokensMax?: number;
  readonly imagesMax: number;
  /** Search units of a request that ranks documents; absent: none. */
  readonly searchUnitsMax?: number;
  /** Some of it lies elsewhere and can at most fill the context. */
  readonly isUnbounded: boolean;
  /** The number of times that the provider may read the input in one request. If absent, it is one. */
  readonly readingsMax?: number;
  /** The bounds of endpoints that run tools themselves, by their id. Absent: none does. */
  readonly natives?: ReadonlyMap<string, NativeBounds> | undefined;
}

/** The media of the input. */
export interface InputMedia {
  /** Pictures, files, sounds and films. */
  readonly mediaCount: number;
  /** Sounds among them. */
  readonly audioCount: number;
}

/** Choices that name no tool. */
const plainChoices: ReadonlySet<ToolChoice['type']> = new Set(['auto', 'none', 'required']);

type Asked = Pick<CatalogEndpoint, 'supportedParameters'> & {
  readonly endpoint: Pick<CatalogEndpoint['endpoint'], 'dialect'>;
};

/**
 * Measures the canonical request after its stages, with all that the dialect of any of the endpoints adds when it
 * renders the request. A picture has a bound of its own. The bytes of a document, or of a URL, say nothing.
 */
export function inputMeasure(
  request: InferenceRequest,
  endpoints: readonly Asked[] = [],
): InputMeasure & InputMedia {
  const tally = new Tally(request, endpoints);
  for (const item of request.items) tally.addItem(item);
  if (request.ranking) tally.repeatQuery(request);
  for (const value of Object.values(request.prompt?.variables ?? {}))
    if (typeof value === 'string') tally.addText(value);
    else tally.addPart(value);
  for (const tokens of request.embedding?.tokens ?? []) tally.addTokens(tokens.length);
  tally.addTools(request.tools, request.toolChoice);
  const { format, prediction } = request.options ?? {};
  if (prediction) tally.addText(JSON.stringify(prediction));
  if (format) tally.addFormat(formatTexts(format, endpoints));
  // Only the provider knows the content of its own tools and items. Tools that the client runs have a bound.
  const isUnbounded =
    tally.isUnbounded ||
    request.prompt !== undefined ||
    request.tools.some((tool) => tool.type === 'native' && !isDefinedTool(tool.tool['type'])) ||
    request.items.some((item) => item.type === 'native' && !item.picture);
  return {
    tokensMax: tally.tokens,
    framingTokensMax: tally.framing,
    imagesMax: tally.images,
    ...(request.ranking && { searchUnitsMax: searchUnitsMax(request) }),
    mediaCount: tally.media,
    audioCount: tally.sounds,
    isUnbounded,
    readingsMax: readingsMax(request),
  };
}

/**
 * Returns an upper bound of the input as one model reads it. `addsFraming` is false of a server that counts
 * the texts alone; a context length that is undefined is not known.
 */
export function inputBounds(
  measure: InputMeasure,
  { contextLength, addsFraming, native }: ModelBounds,
): InputBounds {
  const { tokensMax, framingTokensMax = 0, imagesMax, searchUnitsMax } = measure;
  const { isUnbounded, readingsMax = 1 } = measure;
  const readings = Math.max(readingsMax, native?.readingsMax ?? 0);
  const isOpen = isUnbounded || native !== undefined;
  const contextTokens = isOpen ? readings * (contextLength ?? contextTokensMax) : 0;
  const sentTokens = addsFraming ? tokensMax + framingTokensMax : tokensMax;
  return {
    inputTokensMax: Math.max(sentTokens, contextTokens),
    imagesMax,
    ...(searchUnitsMax !== undefined && { searchUnitsMax }),
    ...(native && { webSearchesMax: native.webSearchesMax }),
  };
}

function formatTexts(format: StructuredFormat, endpoints: readonly Asked[]): readonly string[] {
  const texts = endpoints.map((asked) =>
    tellsFormatInWords(asked, format)
      ? formatInWords(format)
      : formatText(asked.endpoint.dialect, format),
  );
  return [JSON.stringify(format), ...texts];
}

/** Adds up the parts of a request. */
class Tally {
  tokens = 0;
  framing = requestFraming;
  images = 0;
  media = 0;
  sounds = 0;
  isUnbounded = false;
  /** Gemini names the function of an answer instead of the call, and wraps a text that is no object in JSON. */
  readonly #wrapsAnswers: boolean;
  readonly #nameTokensMax: number;
  /** Anthropic's dialect has arguments as objects. Those that are none are a text in an object. */
  readonly #quotesArguments: boolean;

  /** Keys of answers that no call so far has used. Absent: there are no answers. */
  readonly #unanswered: Set<string> | undefined;

  constructor({ items }: InferenceRequest, endpoints: readonly Asked[]) {
    if (items.some(isAnswer)) this.#unanswered = new Set(items.filter(isAnswer).map(keyOf));
    this.#quotesArguments = endpoints.some(
      ({ endpoint }) => endpoint.dialect === 'anthropic-messages',
    );
    this.#wrapsAnswers = endpoints.some(({ endpoint }) => endpoint.dialect === 'google-gemini');
    this.#nameTokensMax = this.#wrapsAnswers ? Math.max(0, ...items.map(nameTokens)) : 0;
  }

  addText(text: string): void {
    this.tokens += Buffer.byteLength(text);
    this.framing += partFraming;
  }

  /** Adds the query once more for each document after the first: a model reads it with each of them. */
  repeatQuery({ items }: InferenceRequest): void {
    const [query, , ...later] = items;
    if (query) later.forEach(() => this.addItem(query));
  }

  /** Adds an input that comes as tokens. */
  addTokens(tokens: number): void {
    this.tokens += tokens;
    this.framing += itemFraming;
  }

  /** Adds the longest of the texts: any of the endpoints may be the one that answers. */
  addFormat(texts: readonly string[]): void {
    this.tokens += Math.max(...texts.map((text) => Buffer.byteLength(text)));
    this.framing += formatFraming;
  }

  addItem(item: InputItem): void {
    this.framing += itemFraming;
    if (item.type !== 'message' || item.role === 'assistant' || isBlank(item.content))
      this.tokens += rewordedTokens;
    switch (item.type) {
      case 'message':
        for (const part of item.content) this.addPart(part);
        break;
      case 'function-call':
        this.addCall(item);
        this.addText(this.#quotesArguments ? JSON.stringify(item.arguments) : item.arguments);
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
        if (item.picture) this.addPart(item.picture);
        this.addText(JSON.stringify(item.picture ? { ...item.item, result: '' } : item.item));
    }
  }

  /** A tool result is sent once. Each other call gets a note, which names the call or its function once more. */
  addCall(call: Call): void {
    const named = nameTokens(call) + Buffer.byteLength(call.callId);
    this.tokens += named;
    if (this.#unanswered?.delete(keyOf(call))) return;
    this.tokens += named + unansweredTokens;
    this.framing += itemFraming + partFraming;
  }

  addOutput(answer: Answer): void {
    const { output, callId } = answer;
    this.#unanswered?.delete(keyOf(answer));
    this.tokens += Buffer.byteLength(callId) + this.#nameTokensMax;
    const text = typeof output === 'string' ? output : textOf(output);
    this.addText(text);
    if (this.#wrapsAnswers)
      this.tokens += Buffer.byteLength(JSON.stringify(text)) - Buffer.byteLength(text);
    if (typeof output === 'string') return;
    for (const part of output)
      if (part.type === 'text') this.framing += partFraming;
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

  addTools(tools: readonly Tool[], choice: ToolChoice): void {
    if (tools.length === 0) return;
    if (!plainChoices.has(choice.type)) this.tokens += choiceTokens(choice);
    this.framing += toolsFraming;
    for (const tool of tools) {
      // No provider gets the mark of our tools.
      const said = JSON.stringify({ ...tool, isServed: undefined });
      this.tokens += Buffer.byteLength(said) + renderedTokens(tool);
      this.framing += itemFraming;
    }
  }
}

/** Returns true for a message in whose place some dialects write a note. */
function isBlank(content: readonly ContentPart[]): boolean {
  return content.every((part) => part.type === 'text' && !/\S/.test(part.text));
}

type Call = Extract<InputItem, { readonly name: string }>;
type Answer = Extract<InputItem, { readonly output: string | readonly ContentPart[] }>;

function isAnswer(item: InputItem): item is Answer {
  return 'output' in item;
}

/** A call and its answer have the same key. */
function keyOf({ type, callId }: Call | Answer): string {
  return `${type.startsWith('custom') ? 'custom' : 'function'}/${callId}`;
}
