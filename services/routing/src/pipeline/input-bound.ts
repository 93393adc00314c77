import type { ContentPart, InferenceRequest, UsageBounds } from '@sluice/inference';
import type { Model } from '../catalog/catalog.ts';

/** More tokens than any provider makes of one picture, whatever its size. */
const imageTokensMax = 16_384;
/** A token is at least a byte; what servers add around the messages fits into the margin. */
const inputTokensMargin = 64;
/** For a model whose context nobody told us. */
const contextTokensMax = 2_097_152;

/** What the input of a request can be at most. */
export type InputBounds = Required<Pick<UsageBounds, 'inputTokensMax' | 'imagesMax'>>;

/**
 * An upper bound of the input: a text has at most as many tokens as bytes, a picture has a bound of its
 * own, and what the bytes say nothing about (a document, what lies behind a URL) can at most fill the
 * context.
 */
export function inputBounds(
  bodyBytes: number,
  request: InferenceRequest,
  model: Pick<Model, 'contextLength'>,
): InputBounds {
  let imagesMax = 0;
  let isUnbounded = false;
  for (const part of partsOf(request)) {
    if (part.type === 'image') imagesMax += 1;
    else if (part.type === 'file' || part.type === 'video') isUnbounded = true;
  }
  // What the provider's own tools and items hold is known to it alone.
  isUnbounded ||= request.tools.some(({ type }) => type === 'native');
  isUnbounded ||= request.items.some(({ type }) => type === 'native');
  const bounded = bodyBytes + inputTokensMargin + imagesMax * imageTokensMax;
  const contextTokens = isUnbounded ? (model.contextLength ?? contextTokensMax) : 0;
  return { inputTokensMax: Math.max(bounded, contextTokens), imagesMax };
}

function* partsOf({ items }: InferenceRequest): Iterable<ContentPart> {
  for (const item of items)
    switch (item.type) {
      case 'message':
        yield* item.content;
        break;
      case 'function-call-output':
      case 'custom-tool-call-output':
        if (typeof item.output !== 'string') yield* item.output;
        break;
      case 'function-call':
      case 'custom-tool-call':
      case 'reasoning':
      case 'native':
    }
}
