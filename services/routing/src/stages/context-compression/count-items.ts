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

/** Estimates the tokens of each item. It errs upwards, so that what is kept fits (decision 102). */
export function countItems(items: readonly InputItem[]): readonly number[] {
  return items.map((item) => tokensPerItem + itemTokens(item));
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

function itemTokens(item: InputItem): number {
  switch (item.type) {
    case 'message':
      return contentTokens(item.content);
    case 'function-call':
      return textTokens(`${item.name} ${item.arguments}`);
    case 'custom-tool-call':
      return textTokens(`${item.name} ${item.input}`);
    case 'function-call-output':
    case 'custom-tool-call-output':
      return contentTokens(item.output);
    case 'reasoning':
      return textTokens([...item.summary, ...item.content].join(''));
    case 'native':
      return contentTokens(item.picture ? [item.picture] : item.text);
  }
}

function contentTokens(content: string | readonly ContentPart[]): number {
  if (typeof content === 'string') return textTokens(content);
  let tokens = 0;
  for (const part of content) tokens += part.type === 'text' ? textTokens(part.text) : mediumTokens;
  return tokens;
}
