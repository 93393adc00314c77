import { randomBytes } from 'node:crypto';
import { errorBody, reportedUsage, type Dialect, type Served } from './dialect.ts';
import type { Generation } from './generation.ts';
import { fieldsOf, refuseUnknown } from './known-fields.ts';
import { BadRequest, type JsonObject, type Prompt } from './prompt.ts';
import { base64Of, dimensionsOf, textOfTokens, vectorPrompt, vectorsOf } from './vectors.ts';

/** `POST /v1/embeddings`: OpenAI's API. */
export const embeddings: Dialect = {
  name: 'embeddings',
  newId: () => `emb-sim-${randomBytes(12).toString('hex')}`,
  readPrompt,
  body,
  // It keeps no answers.
  stored: () => undefined,
  frames: () => [],
  failure: () => ({
    frames: '',
    status: 500,
    body: errorBody(500, 'The simulated model broke'),
  }),
};

const fields = fieldsOf('model input encoding_format dimensions user');
const inputsMax = 2_048;

function readPrompt(body: JsonObject): Prompt {
  refuseUnknown(body, fields, (name) => `Unrecognized request argument supplied: ${name}`);
  const { model, input, encoding_format: format } = body;
  if (typeof model !== 'string' || model === '') throw new BadRequest('model is required');
  if (format !== undefined && format !== 'float' && format !== 'base64')
    throw new BadRequest(`Invalid value for 'encoding_format': expected 'float' or 'base64'.`);
  const dimensions = dimensionsOf(body['dimensions']);
  return vectorPrompt(model, textsOf(input), { dimensions, isBase64: format === 'base64' });
}

function textsOf(input: unknown): readonly string[] {
  if (typeof input === 'string') return textsOf([input]);
  if (!Array.isArray(input) || input.length === 0 || input.length > inputsMax)
    throw new BadRequest("'$.input' is invalid. Please check the API reference.");
  if (input.every((one) => isToken(one))) return [textOfTokens(input)];
  return input.map((one: unknown) => {
    if (typeof one === 'string' && one !== '') return one;
    if (Array.isArray(one) && one.length > 0 && one.every((token) => isToken(token)))
      return textOfTokens(one);
    throw new BadRequest("'$.input' is invalid. Please check the API reference.");
  });
}

function isToken(value: unknown): boolean {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0;
}

/** The real answer has no id. */
function body(served: Served): object {
  const { prompt } = served;
  const usage = reportedUsage(served, usageOf);
  return {
    object: 'list',
    data: vectorsOf(prompt).map((vector, index) => ({
      object: 'embedding',
      index,
      embedding: prompt.vectors?.isBase64 ? base64Of(vector) : [...vector],
    })),
    model: prompt.model,
    ...(usage === null ? {} : { usage }),
  };
}

function usageOf({ inputTokens }: Generation): object {
  return { prompt_tokens: inputTokens, total_tokens: inputTokens };
}
