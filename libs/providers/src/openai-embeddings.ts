import { type InferenceRequest, type InputItem, type StreamPart, textOf } from '@sluice/inference';
import { openAiChat, type Endpoint } from './endpoint.ts';
import { asArray, asIndex, asObject, asWord, type JsonObject } from './json-reader.ts';
import { openAiErrorWord } from './openai-error.ts';
import type { EmbeddingsWire } from './translation.ts';
import { malformedPart } from './upstream-error.ts';
import { checkedUsage } from './usage-counts.ts';
import { vectorParts } from './vectors.ts';

/** The embeddings API of OpenAI and most other servers. */
export const openAiEmbeddings: EmbeddingsWire = {
  inputsMax: 2_048,
  path: () => '/embeddings',
  body: embeddingsBody,
  whole: embeddingsParts,
};

/**
 * Returns the body of `POST /embeddings`. Vectors are asked for in base64 if the server has it, whatever the client
 * wants: they are a fifth as long.
 */
function embeddingsBody(endpoint: Endpoint, { items, embedding }: InferenceRequest): unknown {
  const { hasBase64Vectors, takesInputType } = endpoint.chat ?? openAiChat;
  return {
    model: endpoint.upstreamModel,
    input: embedding?.tokens ?? items.map(inputText),
    dimensions: embedding?.dimensions,
    encoding_format: hasBase64Vectors ? 'base64' : undefined,
    input_type: takesInputType ? embedding?.inputType : undefined,
  };
}

function inputText(item: InputItem): string {
  return item.type === 'message' ? textOf(item.content) : '';
}

function embeddingsParts(body: unknown, inputs: number): readonly StreamPart[] {
  const object = asObject(body);
  if (!object) return [malformedPart()];
  const error = asObject(object['error']);
  if (error) return [{ type: 'error', ...openAiErrorWord(error), usage: undefined }];
  const { usage: reported } = object;
  return vectorParts(
    {
      vectors: vectorsOf(object['data']),
      upstreamId: asWord(object['id']),
      usage: usageOf(asObject(reported)),
      reported,
    },
    inputs,
  );
}

/** Returns the vectors by their index, or by their place if they have none. */
function vectorsOf(data: unknown): readonly unknown[] {
  const vectors = new Map<number, unknown>();
  for (const [place, each] of asArray(data).entries()) {
    const entry = asObject(each);
    vectors.set(asIndex(entry?.['index']) ?? place, entry?.['embedding']);
  }
  return Array.from({ length: vectors.size }, (_, index) => vectors.get(index));
}

/** Some servers report only the total, which is the input: vectors are no tokens. */
function usageOf(usage: JsonObject | undefined) {
  return checkedUsage({
    inputTokens: usage?.['prompt_tokens'] ?? usage?.['total_tokens'],
    cachedTokens: undefined,
    outputTokens: 0,
    reasoningTokens: 0,
  });
}
