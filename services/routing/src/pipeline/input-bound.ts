import type { ContentPart, InferenceRequest, UsageBounds } from '@sluice/inference';

/** More tokens than any provider makes of one picture, whatever its size. */
const imageTokensMax = 16_384;
/** A token is at least a byte; what servers add around the messages fits into the margin. */
const inputTokensMargin = 64;
/** For a model whose context nobody told us. */
const contextTokensMax = 2_097_152;

/** What the input of a request can be at most. */
export type InputBounds = Required<Pick<UsageBounds, 'inputTokensMax' | 'imagesMax'>>;

/** What a request says of its input, whatever model reads it. */
export interface InputMeasure {
  /** Of what is in the request itself. */
  readonly tokensMax: number;
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
 * A text has at most as many tokens as bytes, a picture has a bound of its own; of a document, or of what
 * lies behind a URL, the bytes say nothing.
 */
export function inputMeasure(
  bodyBytes: number,
  request: InferenceRequest,
): InputMeasure & InputMedia {
  let imagesMax = 0;
  let mediaCount = 0;
  let audioCount = 0;
  let isUnbounded = false;
  eachPart(request, ({ type }) => {
    if (type !== 'text') mediaCount += 1;
    if (type === 'audio') audioCount += 1;
    if (type === 'image') imagesMax += 1;
    else if (type === 'file' || type === 'video') isUnbounded = true;
  });
  // What the provider's own tools and items hold is known to it alone.
  isUnbounded ||= request.tools.some(({ type }) => type === 'native');
  isUnbounded ||= request.items.some(({ type }) => type === 'native');
  isUnbounded ||= request.prompt !== undefined;
  const tokensMax = bodyBytes + inputTokensMargin + imagesMax * imageTokensMax;
  return { tokensMax, imagesMax, mediaCount, audioCount, isUnbounded };
}

/** An upper bound of the input as one model reads it; undefined: its context is not known. */
export function inputBounds(
  { tokensMax, imagesMax, isUnbounded }: InputMeasure,
  contextLength: number | undefined,
): InputBounds {
  const contextTokens = isUnbounded ? (contextLength ?? contextTokensMax) : 0;
  return { inputTokensMax: Math.max(tokensMax, contextTokens), imagesMax };
}

function eachPart({ items, prompt }: InferenceRequest, count: (part: ContentPart) => void): void {
  if (prompt)
    for (const value of Object.values(prompt.variables))
      if (typeof value !== 'string') count(value);
  for (const item of items)
    switch (item.type) {
      case 'message':
        item.content.forEach(count);
        break;
      case 'function-call-output':
      case 'custom-tool-call-output':
        if (typeof item.output !== 'string') item.output.forEach(count);
        break;
      case 'function-call':
      case 'custom-tool-call':
      case 'reasoning':
      case 'native':
    }
}
