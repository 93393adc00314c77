import { generateContent } from './generate-content.ts';
import { pathFields } from './generate-content-prompt.ts';
import type { Dialect } from './dialect.ts';
import { fieldsOf, refuseUnknown } from './known-fields.ts';
import { messages } from './messages.ts';
import { BadRequest, isObject, type JsonObject } from './prompt.ts';

const messagesFields = fieldsOf(`
  model messages system tools tool_choice thinking output_config mcp_servers context_management cache_control speed
`);
const contentsFields = fieldsOf('contents generateContentRequest $model $stream $batch');
/** The count reads no limit, and each budget for thoughts is below this one. */
const outputTokensMax = 1_000_000;

/** `POST /v1/messages/count_tokens`: Anthropic's API. */
export const countTokens: Dialect = {
  ...messages,
  isCount: true,
  readPrompt(body) {
    refuseUnknown(body, messagesFields, (name) => `${name}: Extra inputs are not permitted`);
    return messages.readPrompt({ ...body, max_tokens: outputTokensMax });
  },
  body: ({ generation }) => ({ input_tokens: generation.inputTokens }),
};

/** `POST /v1/models/<model>:countTokens`: Google's API. */
export const countContents: Dialect = {
  ...generateContent,
  isCount: true,
  readPrompt: readCounted,
  body: ({ generation }) => ({ totalTokens: generation.inputTokens }),
};

function readCounted(body: JsonObject) {
  refuseUnknown(
    body,
    contentsFields,
    (name) => `Invalid JSON payload received. Unknown name "${name}": Cannot find field.`,
  );
  const { contents, generateContentRequest: whole, ...path } = body;
  if (whole === undefined) return generateContent.readPrompt({ contents, ...path });
  if (!isObject(whole)) throw new BadRequest('generate_content_request: must be an object');
  const { model, ...request } = whole;
  if (model !== `models/${String(body[pathFields.model])}`)
    throw new BadRequest(
      '* CountTokensRequest.generate_content_request.model: must match the model',
    );
  return generateContent.readPrompt({ ...request, ...path });
}
