import { fieldsOf, refuseUnknown } from './known-fields.ts';
import { BadRequest, isObject, type JsonObject } from './prompt.ts';
import { checkToolNames } from './tool-name-rules.ts';

/** OpenAI's own, and of the many that speak like it the commonest. */
const fields = fieldsOf(`
  model messages stream stream_options max_tokens max_completion_tokens temperature top_p n stop logprobs
  top_logprobs logit_bias frequency_penalty presence_penalty seed user response_format tools tool_choice
  parallel_tool_calls functions function_call reasoning_effort verbosity modalities audio prediction store metadata
  service_tier prompt_cache_key prompt_cache_retention safety_identifier web_search_options
  top_k image_config min_p top_a repetition_penalty
`);
const temperatureMax = 2;

/** Refuses a request as the real API does. Throws BadRequest. */
export function checkCompletion(body: JsonObject, messages: readonly unknown[]): void {
  refuseUnknown(body, fields, (name) => `Unrecognized request argument supplied: ${name}`);
  const { temperature, stream, tools } = body;
  if (typeof temperature === 'number' && (temperature < 0 || temperature > temperatureMax))
    throw new BadRequest(`Invalid 'temperature': expected a value between 0 and 2`);
  if (body['stream_options'] !== undefined && stream !== true)
    throw new BadRequest(
      "The 'stream_options' parameter is only allowed when 'stream' is enabled.",
    );
  if (body['tool_choice'] !== undefined && !Array.isArray(tools))
    throw new BadRequest(
      "Invalid value for 'tool_choice': 'tool_choice' is only allowed when 'tools' are specified.",
    );
  if (body['max_tokens'] !== undefined && body['max_completion_tokens'] !== undefined)
    throw new BadRequest(
      "Setting 'max_tokens' and 'max_completion_tokens' at the same time, both, is not supported.",
    );
  checkFormat(body['response_format']);
  checkNames(tools, messages);
  checkAnswers(messages);
  for (const [index, message] of messages.entries()) checkAssistant(message, index);
}

const assistantFields = fieldsOf(`
  role content refusal name audio tool_calls function_call annotations reasoning reasoning_content reasoning_details
`);

/** The model's own messages have texts alone. */
function checkAssistant(message: unknown, index: number): void {
  if (!isObject(message) || message['role'] !== 'assistant') return;
  const { content } = message;
  refuseUnknown(
    message,
    assistantFields,
    (name) => `Unknown parameter: 'messages[${index}].${name}'.`,
  );
  for (const { type } of (Array.isArray(content) ? content : []).filter(isObject))
    if (type !== 'text' && type !== 'refusal')
      throw new BadRequest(
        `Invalid value: '${String(type)}'. Supported values are: 'text' and 'refusal'.`,
      );
}

function checkFormat(format: unknown): void {
  if (!isObject(format) || format['type'] !== 'json_schema') return;
  const named = format['json_schema'];
  if (!isObject(named) || typeof named['name'] !== 'string')
    throw new BadRequest("Missing required parameter: 'response_format.json_schema.name'.");
}

const namePattern = /^[a-zA-Z0-9_-]{1,64}$/;

function checkNames(tools: unknown, messages: readonly unknown[]): void {
  checkToolNames(namesOf(tools), namePattern, {
    place: (index) => `tools[${index}].function.name`,
    repeated: 'Invalid tools: the names of functions must be unique.',
  });
  for (const [at, message] of messages.entries())
    for (const name of namesOf(isObject(message) ? message['tool_calls'] : undefined))
      checkToolNames([name], namePattern, {
        place: (index) => `messages[${at}].tool_calls[${index}].function.name`,
        repeated: '',
      });
}

function namesOf(list: unknown): readonly unknown[] {
  return (Array.isArray(list) ? list : []).filter(isObject).map((entry) => {
    return isObject(entry['function']) ? entry['function']['name'] : undefined;
  });
}

/** Refuses a call that the messages right after it do not answer, and an answer without a call. */
function checkAnswers(messages: readonly unknown[]): void {
  let open = new Set<unknown>();
  for (const message of messages.filter(isObject)) {
    if (message['role'] === 'tool') {
      if (!open.delete(message['tool_call_id']))
        throw new BadRequest(
          "Invalid parameter: messages with role 'tool' must be a response to a preceding message with 'tool_calls'.",
        );
      continue;
    }
    refuseOpen(open);
    const calls = Array.isArray(message['tool_calls']) ? message['tool_calls'] : [];
    open = new Set(calls.filter(isObject).map(({ id }) => id));
  }
  refuseOpen(open);
}

function refuseOpen(open: ReadonlySet<unknown>): void {
  if (open.size > 0)
    throw new BadRequest(
      "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'.",
    );
}
