import { exampleOf } from './arguments.ts';
import type { Directives } from './directives.ts';
import { jsonAnswer } from './json-answer.ts';
import { isObject, lastUserText, type Prompt, type Tool } from './prompt.ts';
import { firstTokens, tokensOf } from './tokens.ts';
import { type Page, rankPages } from './web/corpus.ts';

/** The whole answer to a prompt. The same prompt always gets the same one. */
export interface Generation {
  readonly parts: readonly OutputPart[];
  readonly finish: 'stop' | 'length' | 'tool-calls' | 'content-filter';
  readonly inputTokens: number;
  readonly cachedTokens: number;
  /** The stop sequence that ended the text. */
  readonly stopSequence?: string;
  /** That served. */
  readonly serviceTier: string;
}

export interface OutputPart {
  readonly type: 'reasoning' | 'text' | 'refusal' | 'tool-call' | 'search';
  /** The name of a tool call. Empty otherwise. */
  readonly name: string;
  readonly text: string;
  /** The namespace of a called tool, if it has one. */
  readonly namespace?: string;
  /** A tool call whose text is no JSON. */
  readonly isCustom?: true;
  /** The text is a picture in base64. */
  readonly isPicture?: true;
  /** A search that the provider makes itself. Its text is empty. */
  readonly search?: NativeSearch;
  /** The page that the text names by its address. */
  readonly cited?: Page;
}

/** A search of the simulated web. */
export interface NativeSearch {
  readonly query: string;
  readonly pages: readonly Page[];
}

/** One gray pixel. */
const picture =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR42mNoAAAAggCB2kUIOwAAAABJRU5ErkJggg==';

export interface OutputTokens {
  readonly output: number;
  readonly reasoning: number;
}

export function generate(
  prompt: Prompt,
  directives: Directives,
  scripted?: readonly OutputPart[],
): Generation {
  const inputTokens =
    prompt.turns.reduce((sum, turn) => sum + tokensOf(turn.text), 0) +
    prompt.tools.reduce((sum, tool) => sum + tokensOf(tool.definition), 0) +
    directives.readTokens;
  const isMeasure = prompt.vectors !== undefined || prompt.ranking !== undefined;
  const isSilent = directives.empty || isMeasure;
  const wanted = isSilent ? [] : (scripted ?? answer(prompt, directives));
  const { parts: said, stopSequence } = stopped(wanted, prompt.stops ?? []);
  const parts = cropped(said, prompt.outputTokensMax ?? Infinity);
  const isCropped = parts !== said;
  return {
    parts,
    finish: isMeasure ? 'stop' : finishOf(parts, isCropped, directives),
    ...(stopSequence !== undefined && !isCropped && { stopSequence }),
    inputTokens: inputTokens + readTokens(parts),
    cachedTokens: isMeasure ? 0 : Math.min(inputTokens, directives.cachedTokens),
    serviceTier: directives.isUsualTier ? 'default' : (prompt.serviceTier ?? 'default'),
  };
}

/** Counts the output of each part that was served. */
export function countOutput(parts: readonly Pick<OutputPart, 'type' | 'text'>[]): OutputTokens {
  let output = 0;
  let reasoning = 0;
  for (const { type, text } of parts) {
    output += tokensOf(text);
    if (type === 'reasoning') reasoning += tokensOf(text);
  }
  return { output, reasoning };
}

/** A part's text in pieces of one word: what one chunk or delta carries. */
export function chunksOf(text: string): readonly string[] {
  return text.match(/\s*\S+\s*$|\s*\S+|\s+/g) ?? [];
}

function answer(prompt: Prompt, directives: Directives): readonly OutputPart[] {
  const parts: OutputPart[] = [];
  const asked = lastUserText(prompt);
  const say = (type: OutputPart['type'], text: string) => void parts.push({ type, name: '', text });
  if (directives.reasoning || prompt.isReasoning)
    say('reasoning', `The user wrote ${asked.length} characters.`);
  const calls = calledTools(prompt, asked);
  const searches = calls.filter(({ isSearch }) => isSearch);
  if (directives.refusal) say('refusal', 'I cannot help with that.');
  else if (searches.length > 0 && (prompt.nativeCallsMax ?? 1) > 0)
    parts.push(...searched(wordsOf(asked)));
  else if (calls.length > 0) parts.push(...calls.map((tool) => callOf(tool, asked)));
  else say('text', textOf(prompt, directives, asked));
  if (prompt.drawsPicture && !directives.refusal && calls.length === 0)
    parts.push({ type: 'text', name: '', text: picture, isPicture: true });
  return parts;
}

function textOf(prompt: Prompt, directives: Directives, asked: string): string {
  if (prompt.answerSchema === undefined) {
    if (directives.says !== undefined) return directives.says;
    if (directives.words !== undefined) return words(directives.words);
  }
  const said = reply(prompt, asked);
  return jsonAnswer(prompt, said) ?? said;
}

function callOf({ name, namespace, parameters, isCustom }: Tool, asked: string): OutputPart {
  const called = {
    type: 'tool-call',
    name,
    ...(namespace !== undefined && { namespace }),
  } as const;
  if (isCustom) return { ...called, text: 'some free text', isCustom };
  const example = exampleOf(parameters);
  const words = wordsOf(asked);
  const isSearch = isObject(example) && example['query'] === 'text' && name.includes('search');
  const args = isSearch && words !== '' ? { ...example, query: words } : example;
  return { ...called, text: JSON.stringify(args) };
}

/** A search is for the words of the user. */
function wordsOf(asked: string): string {
  return asked.replaceAll(/\bcall [\w-]+/g, '').trim();
}

const pagesMax = 3;

/** Returns a search that the provider makes, and a text that cites its first page. */
export function searched(query: string): readonly OutputPart[] {
  const pages = rankPages(query, { allowed: [], excluded: [] }).slice(0, pagesMax);
  const [cited] = pages;
  const text = cited ? `${cited.title}: ${cited.url}` : 'Nothing was found.';
  const search = {
    type: 'search',
    name: 'web_search',
    text: '',
    search: { query, pages },
  } as const;
  return [search, { type: 'text', name: '', text, ...(cited && { cited }) }];
}

/** Counts the pages that the provider's own searches gave to the model. */
function readTokens(parts: readonly OutputPart[]): number {
  const pages = parts.flatMap(({ search }) => search?.pages ?? []);
  return pages.reduce((sum, page) => sum + tokensOf(page.text), 0);
}

function reply(prompt: Prompt, asked: string): string {
  const last = prompt.turns.at(-1);
  if (last?.role === 'tool') return `The tool answered: ${last.text}`;
  return asked === '' ? 'You said nothing.' : `You said: ${asked}`;
}

/** Forced ones, or those that the last user text names: "call get_weather". */
function calledTools(prompt: Prompt, asked: string): readonly Tool[] {
  const { toolChoice, tools } = prompt;
  if (toolChoice === 'none' || tools.length === 0) return [];
  if (typeof toolChoice === 'object') return tools.filter(({ name }) => name === toolChoice.name);
  if (prompt.turns.findLast(({ role }) => role !== 'system')?.role !== 'user') return [];
  const named = tools.filter(({ name }) => asked.includes(`call ${name}`));
  const called = named.length === 0 && toolChoice === 'required' ? tools.slice(0, 1) : named;
  return prompt.parallelToolCalls ? called : called.slice(0, 1);
}

const vocabulary = ['alpha', 'bravo', 'charlie', 'delta', 'echo', 'foxtrot', 'golf', 'hotel'];

function words(count: number): string {
  return Array.from({ length: count }, (_, index) => vocabulary[index % vocabulary.length]).join(
    ' ',
  );
}

interface Stopped {
  readonly parts: readonly OutputPart[];
  readonly stopSequence?: string;
}

/** Ends the answer before the first stop sequence of its texts. The same array when there is none. */
function stopped(parts: readonly OutputPart[], stops: readonly string[]): Stopped {
  for (const [index, part] of parts.entries()) {
    if (part.type !== 'text') continue;
    const found = stops
      .map((stop) => ({ stop, at: part.text.indexOf(stop) }))
      .filter(({ at }) => at !== -1)
      .toSorted((one, other) => one.at - other.at)[0];
    if (!found) continue;
    const cut = { ...part, text: part.text.slice(0, found.at) };
    return { parts: [...parts.slice(0, index), cut], stopSequence: found.stop };
  }
  return { parts };
}

/** The same array when everything fits. */
function cropped(parts: readonly OutputPart[], tokensMax: number): readonly OutputPart[] {
  let left = tokensMax;
  const kept: OutputPart[] = [];
  for (const part of parts) {
    const tokens = tokensOf(part.text);
    if (tokens > left)
      return left === 0 ? kept : [...kept, { ...part, text: firstTokens(part.text, left) }];
    kept.push(part);
    left -= tokens;
  }
  return parts;
}

function finishOf(
  parts: readonly OutputPart[],
  isCropped: boolean,
  directives: Directives,
): Generation['finish'] {
  if (isCropped) return 'length';
  if (directives.contentFilter) return 'content-filter';
  return parts.some((part) => part.type === 'tool-call') ? 'tool-calls' : 'stop';
}
