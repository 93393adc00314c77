/** A request of any dialect, in one shape. */
export interface Prompt {
  readonly model: string;
  readonly turns: readonly Turn[];
  readonly tools: readonly Tool[];
  readonly toolChoice: 'auto' | 'none' | 'required' | { readonly name: string };
  readonly parallelToolCalls: boolean;
  readonly outputTokensMax: number | undefined;
  readonly streamed: boolean;
  /** Chat completions only: whether a stream ends with a usage chunk. */
  readonly includeUsage: boolean;
  /** The answer can be asked for later. */
  readonly isStored: boolean;
  /** A JSON schema that the text of the answer must follow. */
  readonly answerSchema?: unknown;
  /** The answer must be a JSON object, of any form. */
  readonly wantsJson?: boolean;
  /** It was asked to think. */
  readonly isReasoning?: boolean;
  /** Google's API: the answer has a picture. */
  readonly drawsPicture?: boolean;
  /** OpenAI's dialects: the tier that is asked for; absent: the usual one. */
  readonly serviceTier?: 'flex' | 'priority';
  /** True if the client wants the thoughts in a form that only the model can read. */
  readonly wantsEncrypted?: boolean;
  /** True if the items of searches are to have the pages. */
  readonly wantsSources?: boolean;
  /** Texts before which the answer ends. */
  readonly stops?: readonly string[];
  /** It asks for the log probability of each token, and for this many of the likeliest ones. */
  readonly likeliestCount?: number;
  /** Calls of tools that the provider may run. Absent: any number. */
  readonly nativeCallsMax?: number;
  /** It asks for a vector of each turn, not for an answer. */
  readonly vectors?: Vectors;
  /** It asks for the relevance of documents, not for an answer. */
  readonly ranking?: Ranking;
}

/** The vectors that a prompt asks for: one per turn. */
export interface Vectors {
  readonly dimensions: number;
  readonly isBase64: boolean;
  /** Google's API: the answer is a list. */
  readonly isBatch?: boolean;
}

/** The documents that a prompt asks to be ranked. */
export interface Ranking {
  readonly query: string;
  readonly documents: readonly string[];
  readonly topN: number;
  /** Cohere's API: the answer has search units, not tokens. */
  readonly isCohere: boolean;
}

export interface Turn {
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  readonly text: string;
}

export interface Tool {
  readonly name: string;
  readonly parameters: unknown;
  /** The definition as it came: its bytes are input too. */
  readonly definition: string;
  /** The responses dialect alone has groups of tools. */
  readonly namespace?: string;
  /** It takes free text, not JSON. */
  readonly isCustom?: true;
  /** The provider runs it: a search of the web. */
  readonly isSearch?: true;
}

/** A picture, a sound or a document counts as one text of this length. */
export const mediaTokensText = 'm'.repeat(340);

/** The request is not one that this dialect allows. */
export class BadRequest extends Error {
  override readonly name = 'BadRequest';
}

export type JsonObject = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Reads the stop sequences of a request: one or a list. */
export function stopsOf(stop: unknown): { readonly stops?: readonly string[] } {
  const stops = (Array.isArray(stop) ? stop : [stop]).filter((each) => typeof each === 'string');
  return stops.length > 0 ? { stops } : {};
}

export function lastUserText(prompt: Prompt): string {
  return prompt.turns.findLast((turn) => turn.role === 'user')?.text ?? '';
}

/** Text of a content that is a string or an array of parts. */
export function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content
    .map((part: unknown) => {
      if (!isObject(part)) return '';
      if (typeof part['text'] === 'string') return part['text'];
      if (mediaTypes.has(part['type'])) return mediaTokensText;
      return typeof part['refusal'] === 'string' ? part['refusal'] : '';
    })
    .join('');
}

const mediaTypes: ReadonlySet<unknown> = new Set([
  'input_image',
  'input_file',
  'input_audio',
  'input_video',
  'image_url',
  'file',
  'video_url',
]);

export function roleOf(role: unknown): Turn['role'] {
  switch (role) {
    case 'system':
    case 'developer':
      return 'system';
    case 'assistant':
      return 'assistant';
    case 'tool':
      return 'tool';
    default:
      return 'user';
  }
}

export function toolChoiceOf(choice: unknown): Prompt['toolChoice'] {
  if (choice === 'none' || choice === 'required') return choice;
  if (!isObject(choice)) return 'auto';
  if (choice['type'] === 'web_search') return { name: 'web_search' };
  const named = isObject(choice['function']) ? choice['function'] : choice;
  return typeof named['name'] === 'string' ? { name: named['name'] } : 'auto';
}

export function serviceTierOf(tier: unknown): Pick<Prompt, 'serviceTier'> {
  return tier === 'flex' || tier === 'priority' ? { serviceTier: tier } : {};
}

export function outputTokensMaxOf(...candidates: readonly unknown[]): number | undefined {
  for (const value of candidates) {
    if (value === undefined || value === null) continue;
    if (typeof value === 'number' && Number.isInteger(value) && value >= 1) return value;
    throw new BadRequest('the output limit must be a whole number of at least 1');
  }
  return undefined;
}
