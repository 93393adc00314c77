import type { InferenceRequest } from '@sluice/inference';

const bytesPerToken = 4;

/** Our own count of a text, for when the upstream gives none. */
export function estimateTokens(textBytes: number): number {
  return Math.ceil(textBytes / bytesPerToken);
}

/** Our own count of what a request says to the model: text by text. */
export function estimateInputTokens(request: InferenceRequest): number {
  let tokens = 0;
  const add = (text: string) => void (tokens += estimateTokens(Buffer.byteLength(text)));
  for (const item of request.items) {
    if (item.type === 'message') add(item.content.map(({ text }) => text).join(''));
    else if (item.type === 'function-call') add(item.arguments);
    else add(item.output);
  }
  for (const { name, parameters } of request.tools) add(JSON.stringify({ name, parameters }));
  return tokens;
}
