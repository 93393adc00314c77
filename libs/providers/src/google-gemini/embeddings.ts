import type { InferenceRequest, InputItem, StreamPart } from '@sluice/inference';
import type { Endpoint } from '../endpoint.ts';
import { asArray, asObject } from '../json-reader.ts';
import type { EmbeddingsWire } from '../translation.ts';
import { malformedPart } from '../upstream-error.ts';
import { vectorParts } from '../vectors.ts';
import { partsOf } from './contents.ts';
import { geminiStreamError } from './errors.ts';
import { modelName } from './request.ts';
import { geminiUsage } from './usage.ts';

/** Google's `batchEmbedContents`, also for one input. */
export const geminiEmbeddings: EmbeddingsWire = {
  inputsMax: 100,
  path: (endpoint) => `/models/${encodeURIComponent(modelName(endpoint))}:batchEmbedContents`,
  body: embeddingsBody,
  whole: embeddingsParts,
};

function embeddingsBody(endpoint: Endpoint, { items, embedding }: InferenceRequest): unknown {
  const requests = items.map((item) => ({
    model: `models/${modelName(endpoint)}`,
    content: { parts: contentOf(item) },
    taskType: taskTypeOf(embedding?.inputType),
    outputDimensionality: embedding?.dimensions,
  }));
  return { requests };
}

function contentOf(item: InputItem) {
  return item.type === 'message' ? partsOf(item.content) : [];
}

const taskTypes: Readonly<Record<string, string>> = {
  query: 'RETRIEVAL_QUERY',
  search_query: 'RETRIEVAL_QUERY',
  document: 'RETRIEVAL_DOCUMENT',
  passage: 'RETRIEVAL_DOCUMENT',
  search_document: 'RETRIEVAL_DOCUMENT',
};
/** Google's own words, which clients may use in any case. */
const ownTaskTypes: ReadonlySet<string> = new Set([
  'RETRIEVAL_QUERY',
  'RETRIEVAL_DOCUMENT',
  'SEMANTIC_SIMILARITY',
  'CLASSIFICATION',
  'CLUSTERING',
  'QUESTION_ANSWERING',
  'FACT_VERIFICATION',
  'CODE_RETRIEVAL_QUERY',
]);

/** Returns undefined for a use that Google does not know: it is a hint. */
function taskTypeOf(inputType = ''): string | undefined {
  const own = inputType.toUpperCase();
  if (ownTaskTypes.has(own)) return own;
  return Object.hasOwn(taskTypes, inputType) ? taskTypes[inputType] : undefined;
}

function embeddingsParts(body: unknown, inputs: number): readonly StreamPart[] {
  const object = asObject(body);
  if (!object) return [malformedPart()];
  if (asObject(object['error']))
    return [{ type: 'error', ...geminiStreamError(object), usage: undefined }];
  const { usageMetadata: reported } = object;
  const vectors = asArray(object['embeddings']).map((each) => asObject(each)?.['values']);
  return vectorParts({ vectors, usage: geminiUsage(asObject(reported)), reported }, inputs);
}
