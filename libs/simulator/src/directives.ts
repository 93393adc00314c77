import { oddForms, type OddForm } from './odd-failures.ts';

/** Token counts that are not reported, or that cannot be true. */
export type UsageFault = 'none' | 'negative' | 'absurd' | 'garbled';

/**
 * Orders to the simulator besides answering: in the model's name (`sim-cut-3`), in the header `x-sim-fault` (`cut-3,
 * slow-20`) or in the last user text (`[sim:cut-3]`).
 */
export interface Directives {
  /** Answer with this HTTP status. */
  readonly errorStatus: number | undefined;
  /** Refuse the request as one that is longer than the context. */
  readonly isTooLong: boolean;
  /** Take the request and never answer. */
  readonly hang: boolean;
  /** Make the whole answer, and send nothing of it. */
  readonly isMute: boolean;
  /** Stop sending after this many chunks and keep the connection open. */
  readonly stallAfterChunks: number | undefined;
  /** Close the connection after this many chunks. */
  readonly cutAfterChunks: number | undefined;
  /** End in the dialect's own error after this many chunks. */
  readonly failAfterChunks: number | undefined;
  /** Fail in this form instead, in a stream. */
  readonly failForm: OddForm | undefined;
  /** Send events that say nothing before each event. */
  readonly isNoisy: boolean;
  /** Wait this long before each chunk. */
  readonly chunkDelayMs: number;
  /** Wait this long before the first byte. */
  readonly firstByteDelayMs: number;
  /** Answer 200 with something that is neither JSON nor events. */
  readonly malformed: boolean;
  /** Answer 200 with no output at all. */
  readonly empty: boolean;
  /** Leave out the token counts, or tell some that cannot be true. */
  readonly usageFault: UsageFault | undefined;
  /** Say this many words instead of repeating the prompt. */
  readonly words: number | undefined;
  /** Say this text instead of repeating the prompt. */
  readonly says: string | undefined;
  /** Think aloud first. */
  readonly reasoning: boolean;
  /** Count this many of the input tokens as cached. */
  readonly cachedTokens: number;
  /** Let the provider's own tools read this many input tokens beside the prompt. */
  readonly readTokens: number;
  /** Say the last word again and again, without an end. */
  readonly isEndless: boolean;
  /** Decline in the dialect's own way. */
  readonly refusal: boolean;
  /** Stop half-way for content. */
  readonly contentFilter: boolean;
  /** Serve in the usual tier, whichever was asked for. */
  readonly isUsualTier: boolean;
}

const countedPattern = /^(error|cut|fail|stall|slow|wait|words|cached|reads)-(\d{1,6})$/;
const saysPattern = /^says-((?:[0-9a-f]{2}){1,10000})$/;
const formPattern = /^as-([a-z]{1,10})$/;
const plainWords: ReadonlySet<string> = new Set([
  'hang',
  'mute',
  'malformed',
  'empty',
  'no-usage',
  'negative-usage',
  'absurd-usage',
  'garbled-usage',
  'reasoning',
  'refuse',
  'filter',
  'usual-tier',
  'endless',
  'too-long',
  'noisy',
]);
const delayMsMax = 60_000;
const wordsMax = 20_000;

export function readDirectives(modelName: string, ordered: string, prompt: string): Directives {
  const asked = new Map<string, number>();
  let says: string | undefined;
  let failForm: OddForm | undefined;
  for (const word of [...inModelName(modelName), ...inHeader(ordered), ...inPrompt(prompt)]) {
    const [, hexadecimal] = saysPattern.exec(word) ?? [];
    if (hexadecimal !== undefined) says = Buffer.from(hexadecimal, 'hex').toString();
    const [, form] = formPattern.exec(word) ?? [];
    failForm = oddForms.find((one) => one === form) ?? failForm;
    const [, name = '', count] = countedPattern.exec(word) ?? [];
    if (name !== '') asked.set(name, Number(count));
    else if (plainWords.has(word)) asked.set(word, 0);
  }
  return {
    errorStatus: asked.get('error'),
    isTooLong: asked.has('too-long'),
    hang: asked.has('hang'),
    isMute: asked.has('mute'),
    stallAfterChunks: asked.get('stall'),
    cutAfterChunks: asked.get('cut'),
    failAfterChunks: asked.get('fail'),
    failForm,
    isNoisy: asked.has('noisy'),
    chunkDelayMs: Math.min(delayMsMax, asked.get('slow') ?? 0),
    firstByteDelayMs: Math.min(delayMsMax, asked.get('wait') ?? 0),
    malformed: asked.has('malformed'),
    empty: asked.has('empty'),
    usageFault: usageFaultOf(asked),
    words: asked.has('words') ? Math.min(wordsMax, asked.get('words') ?? 0) : undefined,
    says,
    reasoning: asked.has('reasoning'),
    cachedTokens: asked.get('cached') ?? 0,
    readTokens: asked.get('reads') ?? 0,
    refusal: asked.has('refuse'),
    contentFilter: asked.has('filter'),
    isUsualTier: asked.has('usual-tier'),
    isEndless: asked.has('endless'),
  };
}

function usageFaultOf(asked: ReadonlyMap<string, number>): UsageFault | undefined {
  if (asked.has('no-usage')) return 'none';
  if (asked.has('negative-usage')) return 'negative';
  if (asked.has('absurd-usage')) return 'absurd';
  return asked.has('garbled-usage') ? 'garbled' : undefined;
}

/** `echo-sim-slow-20-sim-cut-3` asks for two things. */
function inModelName(modelName: string): readonly string[] {
  return modelName
    .split(/(?:^|[-/])sim-/)
    .slice(1)
    .map((word) => word.replace(/-+$/, ''));
}

function inHeader(header: string): readonly string[] {
  return header.split(',').map((word) => word.trim());
}

function inPrompt(prompt: string): readonly string[] {
  return [...prompt.matchAll(/\[sim:([a-z0-9-]+)\]/g)].map((match) => match[1] ?? '');
}
