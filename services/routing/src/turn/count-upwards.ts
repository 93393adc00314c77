import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ContentPart, InferenceRequest, InputItem, Tool } from '@sluice/inference';
import { countTextUpwards } from '../request/text-tokens.ts';

/** The roles and separators of a message, a call, a result or a tool. */
const tokensPerPart = 6;
/** The largest picture that is not scaled down. */
const imageTokens = 1_600;
/** A tool that its provider defines, and its instructions. */
const definedToolTokens = 1_000;
/** The instructions that providers add to a request with tools. */
const toolsTokens = 350;
/** A page of a document is rarely smaller. */
const documentBytesPerToken = 20;
/** Characters that are counted before other requests have their turn. */
const charactersPerTurn = 50_000;

/**
 * Estimates the tokens of the input of a request. It errs upwards, for clients that keep below a context length.
 * Billing and the choice of endpoints use `estimateInputTokens`: a charge must not be too high, and an endpoint whose
 * context is long enough must not be left out.
 */
export async function countUpwards(request: InferenceRequest): Promise<number> {
  const { items, tools, options, prompt } = request;
  const counter = new InputCounter();
  for (const item of items) await counter.countItem(item);
  for (const tool of tools) await counter.countTool(tool);
  if (tools.length > 0) counter.tokens += toolsTokens;
  if (options?.format) await counter.countText(JSON.stringify(options.format));
  for (const value of Object.values(prompt?.variables ?? {}))
    await counter.countContent(typeof value === 'string' ? value : [value]);
  return counter.tokens;
}

class InputCounter {
  tokens = 0;
  #characters = 0;

  async countItem(item: InputItem): Promise<void> {
    this.tokens += tokensPerPart;
    switch (item.type) {
      case 'message':
        return this.countContent(item.content);
      case 'function-call':
        return this.countText(`${item.name} ${item.arguments}`);
      case 'custom-tool-call':
        return this.countText(`${item.name} ${item.input}`);
      case 'function-call-output':
      case 'custom-tool-call-output':
        return this.countContent(item.output);
      case 'reasoning':
        return this.countText([...item.summary, ...item.content].join(''));
      case 'native':
        return this.countContent(item.picture ? [item.picture] : item.text);
    }
  }

  async countTool(tool: Tool): Promise<void> {
    this.tokens += tokensPerPart;
    if (tool.type === 'native') this.tokens += definedToolTokens;
    else await this.countText(JSON.stringify(tool));
  }

  async countContent(content: string | readonly ContentPart[]): Promise<void> {
    if (typeof content === 'string') return this.countText(content);
    for (const part of content)
      if (part.type === 'text') await this.countText(part.text);
      else await this.#countMedium(part);
  }

  async countText(text: string): Promise<void> {
    for (let from = 0; from < text.length; from += charactersPerTurn) {
      const piece = text.slice(from, from + charactersPerTurn);
      this.tokens += countTextUpwards(piece);
      this.#characters += piece.length;
      if (this.#characters < charactersPerTurn) continue;
      this.#characters = 0;
      await nextTurn();
    }
  }

  async #countMedium(part: Exclude<ContentPart, { type: 'text' }>): Promise<void> {
    const held = part.type === 'audio' ? { mediaType: 'audio', base64: part.data } : part.source;
    if (part.type === 'image' || !('base64' in held)) {
      this.tokens += imageTokens;
      return;
    }
    const { base64, mediaType } = held;
    if (mediaType.startsWith('text/'))
      return this.countText(Buffer.from(base64, 'base64').toString());
    const bytes = Buffer.byteLength(base64, 'base64');
    this.tokens += Math.max(imageTokens, Math.ceil(bytes / documentBytesPerToken));
  }
}
