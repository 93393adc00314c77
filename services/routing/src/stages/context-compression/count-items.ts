import type { ContentPart, InferenceRequest, InputItem, Tool } from '@sluice/inference';
import { countTextUpwards } from '../../request/text-tokens.ts';

const tokensPerItem = 6;
const mediumTokens = 1_600;
const definedToolTokens = 1_000;
const toolsTokens = 350;

const charactersPerToken = 4;

/** Returns no less than the choice of endpoints counts, which goes by the length alone. */
export function textTokens(text: string): number {
  return Math.max(countTextUpwards(text), Math.ceil(text.length / charactersPerToken));
}

/** Counts the tokens of a text. */
export type CountText = (text: string) => number;

/** Estimates the tokens of each item. It errs upwards, so that what is kept fits (decision 102). */
export function countItems(
  items: readonly InputItem[],
  count: CountText = textTokens,
): readonly number[] {
  return items.map((item) => countItem(item, count));
}

/** Returns the tokens of an item: those of its texts, and what stands around them. */
export function countItem(item: InputItem, count: CountText = textTokens): number {
  let tokens = tokensPerItem + mediumTokens * mediaOf(item);
  for (const text of textsOf(item)) tokens += count(text);
  return tokens;
}

/** Estimates the tokens of a request beside its items. */
export function countRest({ tools, options, prompt }: InferenceRequest): number {
  let tokens = tools.length > 0 ? toolsTokens : 0;
  for (const tool of tools) tokens += tokensPerItem + toolTokens(tool);
  if (options?.format) tokens += textTokens(JSON.stringify(options.format));
  for (const value of Object.values(prompt?.variables ?? {}))
    tokens += contentTokens(typeof value === 'string' ? value : [value]);
  return tokens;
}

function toolTokens(tool: Tool): number {
  return tool.type === 'native' ? definedToolTokens : textTokens(JSON.stringify(tool));
}

/** Returns the texts of an item, in its order. */
export function textsOf(item: InputItem): readonly string[] {
  switch (item.type) {
    case 'message':
      return textsIn(item.content);
    case 'function-call':
      return [`${item.name} ${item.arguments}`];
    case 'custom-tool-call':
      return [`${item.name} ${item.input}`];
    case 'function-call-output':
    case 'custom-tool-call-output':
      return typeof item.output === 'string' ? [item.output] : textsIn(item.output);
    case 'reasoning':
      return [[...item.summary, ...item.content].join('')];
    case 'native':
      return item.picture ? [] : [item.text];
  }
}

/** Returns the number of pictures and other media of an item. */
function mediaOf(item: InputItem): number {
  if (item.type === 'native') return item.picture ? 1 : 0;
  const content = item.type === 'message' ? item.content : 'output' in item ? item.output : [];
  if (typeof content === 'string') return 0;
  return content.reduce((sum, { type }) => (type === 'text' ? sum : sum + 1), 0);
}

function textsIn(content: readonly ContentPart[]): readonly string[] {
  return content.flatMap((part) => (part.type === 'text' ? [part.text] : []));
}

function contentTokens(content: string | readonly ContentPart[]): number {
  if (typeof content === 'string') return textTokens(content);
  let tokens = 0;
  for (const part of content) tokens += part.type === 'text' ? textTokens(part.text) : mediumTokens;
  return tokens;
}
