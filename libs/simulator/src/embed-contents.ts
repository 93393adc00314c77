import { reportedUsage, type Dialect, type Served } from './dialect.ts';
import { generateContent } from './generate-content.ts';
import { pathFields, readContentParts } from './generate-content-prompt.ts';
import type { Generation } from './generation.ts';
import { fieldsOf, refuseUnknown } from './known-fields.ts';
import { BadRequest, isObject, type JsonObject, type Prompt } from './prompt.ts';
import { dimensionsOf, vectorPrompt, vectorsOf } from './vectors.ts';

/** `POST /v1/models/<model>:embedContent` and `:batchEmbedContents`: Google's API. */
export const embedContents: Dialect = {
  ...generateContent,
  name: 'embed-contents',
  readPrompt,
  body,
  frames: () => [],
};

const batchFields = fieldsOf('requests $model $stream $batch');
const fields = fieldsOf('model content taskType title outputDimensionality $model $stream $batch');
const unknown = (name: string): string =>
  `Invalid JSON payload received. Unknown name "${name}": Cannot find field.`;
const requestsMax = 100;

function readPrompt(body: JsonObject): Prompt {
  const model = String(body[pathFields.model]);
  const isBatch = body[pathFields.batch] === true;
  if (isBatch) refuseUnknown(body, batchFields, unknown);
  const requests = isBatch ? body['requests'] : [{ ...body, model: `models/${model}` }];
  if (!Array.isArray(requests) || requests.length === 0)
    throw new BadRequest('* BatchEmbedContentsRequest.requests: requests is not specified');
  if (requests.length > requestsMax)
    throw new BadRequest(
      '* BatchEmbedContentsRequest.requests: at most 100 requests can be in one batch',
    );
  const asked = requests.map((request: unknown) => readRequest(request, model));
  const [first] = asked;
  const dimensions = first?.dimensions ?? 1;
  const texts = asked.map(({ text }) => text);
  return vectorPrompt(model, texts, { dimensions, isBase64: false, isBatch });
}

function readRequest(request: unknown, model: string) {
  if (!isObject(request)) throw new BadRequest('* requests: must be objects');
  refuseUnknown(request, fields, unknown);
  if (request['model'] !== `models/${model}`)
    throw new BadRequest('* BatchEmbedContentsRequest.requests.model: must match the model');
  const { content } = request;
  const parts = isObject(content) ? readContentParts(content['parts']) : [];
  if (parts.length === 0) throw new BadRequest('* EmbedContentRequest.content: content is empty');
  return { text: parts.join(''), dimensions: dimensionsOf(request['outputDimensionality']) };
}

function body(served: Served): object {
  const usage = reportedUsage(served, usageOf);
  const embeddings = vectorsOf(served.prompt).map((vector) => ({ values: [...vector] }));
  const [embedding] = embeddings;
  return {
    ...(served.prompt.vectors?.isBatch ? { embeddings } : { embedding }),
    ...(usage === null ? {} : { usageMetadata: usage }),
  };
}

function usageOf({ inputTokens }: Generation): object {
  return { promptTokenCount: inputTokens };
}
