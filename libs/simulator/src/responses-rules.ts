import { fieldsOf, refuseUnknown } from './known-fields.ts';
import { BadRequest, isObject, type JsonObject } from './prompt.ts';

const fields = fieldsOf(`
  model input instructions stream stream_options max_output_tokens max_tool_calls temperature top_p top_logprobs
  tools tool_choice parallel_tool_calls reasoning text include store background previous_response_id conversation
  metadata truncation user service_tier prompt prompt_cache_key prompt_cache_retention prompt_cache_options
  safety_identifier context_management moderation
`);
const temperatureMax = 2;

/** Refuses a request as the real API does. Throws BadRequest. */
export function checkResponseRequest(body: JsonObject): void {
  refuseUnknown(body, fields, (name) => `Unknown parameter: '${name}'.`);
  const { temperature, input } = body;
  if (typeof temperature === 'number' && (temperature < 0 || temperature > temperatureMax))
    throw new BadRequest(`Invalid 'temperature': expected a value between 0 and 2`);
  checkChoice(body['tool_choice'], body['tools']);
  if (!Array.isArray(input)) return;
  checkOutputs(input.filter(isObject));
  for (const item of input.filter(isObject)) checkAssistant(item);
}

/** The model's own messages have texts alone. */
function checkAssistant({ role, content }: JsonObject): void {
  if (role !== 'assistant' || !Array.isArray(content)) return;
  for (const { type } of content.filter(isObject))
    if (type !== 'output_text' && type !== 'refusal')
      throw new BadRequest(
        `Invalid value: '${String(type)}'. Supported values are: 'output_text' and 'refusal'.`,
      );
}

function checkChoice(choice: unknown, tools: unknown): void {
  if (!isObject(choice) || (choice['type'] !== 'function' && choice['type'] !== 'custom')) return;
  const names = namesOf(tools);
  if (!names.includes(choice['name']))
    throw new BadRequest(`Tool choice '${choice['type']}' not found in 'tools' parameter.`);
}

/** A function can be one of a namespace. */
function namesOf(tools: unknown): readonly unknown[] {
  if (!Array.isArray(tools)) return [];
  return tools.filter(isObject).flatMap(({ name, tools: inner }) => [name, ...namesOf(inner)]);
}

function checkOutputs(items: readonly JsonObject[]): void {
  const open = new Set<unknown>();
  for (const { type, call_id: id } of items) {
    if (type === 'function_call' || type === 'custom_tool_call') open.add(id);
    if (type !== 'function_call_output' && type !== 'custom_tool_call_output') continue;
    if (!open.delete(id))
      throw new BadRequest(
        `No tool call found for function call output with call_id ${String(id)}.`,
      );
  }
  const [unanswered] = open;
  if (open.size > 0)
    throw new BadRequest(`No tool output found for function call ${String(unanswered)}.`);
}
