import type { ContentPart, InferenceRequest, InputItem, Tool } from '@sluice/inference';

const bytesPerToken = 4;
/** Estimate for a picture that no provider counted. */
const imageTokens = 1_000;

/** Our own count of a text, for when the upstream gives none. */
export function estimateTokens(textBytes: number): number {
  return Math.ceil(textBytes / bytesPerToken);
}

/** Our own count of what a request says to the model: text by text. */
export function estimateInputTokens(request: InferenceRequest): number {
  let tokens = 0;
  for (const item of request.items) tokens += itemTokens(item);
  if (request.prompt)
    for (const value of Object.values(request.prompt.variables))
      tokens += typeof value === 'string' ? textTokens(value) : contentTokens([value]);
  for (const input of request.embedding?.tokens ?? []) tokens += input.length;
  if (request.ranking) tokens += queryTokens(request) * (request.items.length - 2);
  for (const tool of request.tools) tokens += textTokens(JSON.stringify(toolText(tool)));
  return tokens;
}

/**
 * Our own count of what the context must hold at once: a model reads the inputs of vectors, and a query with
 * each document, one by one.
 */
export function estimateContextTokens(request: InferenceRequest, inputTokens: number): number {
  const { items, embedding, ranking } = request;
  if (ranking) return queryTokens(request) + mostTokens(items.slice(1));
  if (!embedding) return inputTokens;
  let most = mostTokens(items);
  for (const input of embedding.tokens ?? []) most = Math.max(most, input.length);
  return most;
}

function mostTokens(items: readonly InputItem[]): number {
  return items.reduce((most, item) => Math.max(most, itemTokens(item)), 0);
}

function queryTokens({ items: [query] }: InferenceRequest): number {
  return query ? itemTokens(query) : 0;
}

function itemTokens(item: InputItem): number {
  switch (item.type) {
    case 'message':
      return contentTokens(item.content);
    case 'function-call':
      return textTokens(item.arguments);
    case 'custom-tool-call':
      return textTokens(item.input);
    case 'function-call-output':
    case 'custom-tool-call-output':
      return typeof item.output === 'string' ? textTokens(item.output) : contentTokens(item.output);
    case 'reasoning':
      return textTokens([...item.summary, ...item.content].join(''));
    case 'native':
      return item.picture ? contentTokens([item.picture]) : textTokens(item.text);
  }
}

function contentTokens(content: readonly ContentPart[]): number {
  let textBytes = 0;
  let media = 0;
  for (const part of content)
    if (part.type === 'text') textBytes += Buffer.byteLength(part.text);
    else media += 1;
  return estimateTokens(textBytes) + media * imageTokens;
}

function toolText(tool: Tool): object {
  if (tool.type === 'native') return tool.tool;
  return tool.type === 'custom'
    ? { name: tool.name, description: tool.description }
    : { name: tool.name, parameters: tool.parameters };
}

function textTokens(text: string): number {
  return estimateTokens(Buffer.byteLength(text));
}
