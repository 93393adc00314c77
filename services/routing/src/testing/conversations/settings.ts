import { everywhere, type Setting } from './forms.ts';

/** The same fields in all dialects. */
const alike = (fields: object): Setting => everywhere({ fields });
const apart = (responses: object, chat: object, messages: object): Setting => ({
  responses: { fields: responses },
  'chat-completions': { fields: chat },
  messages: { fields: messages },
});

export const system: Setting = {
  responses: { fields: { instructions: 'be brief' } },
  'chat-completions': { first: [{ role: 'system', content: 'be brief' }] },
  messages: { fields: { system: 'be brief' } },
};
const mark = { cache_control: { type: 'ephemeral' } };
export const systemParts: Setting = {
  responses: {
    first: [
      {
        role: 'system',
        content: [
          { type: 'input_text', text: 'be brief' },
          { type: 'input_text', text: 'be kind', ...mark },
        ],
      },
    ],
  },
  'chat-completions': {
    first: [
      {
        role: 'system',
        content: [
          { type: 'text', text: 'be brief' },
          { type: 'text', text: 'be kind', ...mark },
        ],
      },
    ],
  },
  messages: {
    fields: {
      system: [
        { type: 'text', text: 'be brief' },
        { type: 'text', text: 'be kind', ...mark },
      ],
    },
  },
};

const city = {
  type: 'object',
  properties: { city: { type: 'string' } },
  required: ['city'],
  additionalProperties: false,
};
const functionForms = (tool: { name: string; description?: string; strict?: boolean }) => {
  const { name, description, strict } = tool;
  const told = { ...(description !== undefined && { description }) };
  const exact = { ...(strict !== undefined && { strict }) };
  return [
    { type: 'function', name, ...told, parameters: city, ...exact },
    { type: 'function', function: { name, ...told, parameters: city, ...exact } },
    { name, ...told, input_schema: city, ...exact },
  ] as const;
};
const look = functionForms({ name: 'look' });
const ask = functionForms({ name: 'ask', description: 'Asks a person.', strict: true });
const withTools = (...tools: readonly (readonly [object, object, object])[]) =>
  apart(
    { tools: tools.map(([form]) => form) },
    { tools: tools.map(([, form]) => form) },
    { tools: tools.map(([, , form]) => form) },
  );
export const oneTool = withTools(look);
export const twoTools = withTools(look, ask);
export const autoChoice = apart(
  { tool_choice: 'auto' },
  { tool_choice: 'auto' },
  { tool_choice: { type: 'auto' } },
);
export const noCalls = apart(
  { tool_choice: 'none' },
  { tool_choice: 'none' },
  { tool_choice: { type: 'none' } },
);
export const anyCall = apart(
  { tool_choice: 'required' },
  { tool_choice: 'required' },
  { tool_choice: { type: 'any' } },
);
export const namedCall = apart(
  { tool_choice: { type: 'function', name: 'ask' } },
  { tool_choice: { type: 'function', function: { name: 'ask' } } },
  { tool_choice: { type: 'tool', name: 'ask' } },
);
export const serialCalls = apart(
  { parallel_tool_calls: false },
  { parallel_tool_calls: false },
  { tool_choice: { type: 'auto', disable_parallel_tool_use: true } },
);

export const streamed = alike({ stream: true });
export const sampling = alike({ temperature: 0.3, top_p: 0.9 });
export const topK = alike({ top_k: 7 });
export const outputLimit = apart(
  { max_output_tokens: 500 },
  { max_completion_tokens: 500 },
  { max_tokens: 500 },
);
export const olderLimit = apart(
  { max_output_tokens: 500 },
  { max_tokens: 500 },
  { max_tokens: 500 },
);

const schema = {
  type: 'object',
  properties: { n: { type: 'number' } },
  required: ['n'],
  additionalProperties: false,
};
const named = { name: 'answer', schema, strict: true };
export const structured = apart(
  { text: { format: { type: 'json_schema', ...named } } },
  { response_format: { type: 'json_schema', json_schema: named } },
  { output_config: { format: { type: 'json_schema', schema } } },
);

const sealed = { include: ['reasoning.encrypted_content'] };
export const thinkingBudget = apart(
  { reasoning: { max_tokens: 2_000 }, max_output_tokens: 9_000, ...sealed },
  { reasoning: { max_tokens: 2_000 }, max_tokens: 9_000 },
  { thinking: { type: 'enabled', budget_tokens: 2_000 }, max_tokens: 9_000 },
);
export const thinkingEffort = apart(
  { reasoning: { effort: 'low', enabled: true }, ...sealed },
  { reasoning: { effort: 'low', enabled: true } },
  { thinking: { type: 'adaptive' }, output_config: { effort: 'low' } },
);
export const shortAnswer = apart(
  { text: { verbosity: 'low' } },
  { verbosity: 'low' },
  { output_config: { effort: 'low' } },
);
export const noThinking = apart(
  { reasoning: { enabled: false } },
  { reasoning: { enabled: false } },
  { thinking: { type: 'disabled' } },
);

export const wholeCached = alike({ cache_control: { type: 'ephemeral', ttl: '1h' } });
export const session = alike({ session_id: 'session-1' });
export const endUser = alike({ user: 'user-7' });
export const fallbacks = apart(
  { models: ['sim/chat', 'sim/gemini'] },
  { models: ['sim/chat', 'sim/gemini'] },
  { fallbacks: [{ model: 'sim/chat' }, { model: 'sim/gemini' }] },
);
export const providers = alike({ provider: { order: ['simulator'], allow_fallbacks: false } });
export const traced = alike({ trace: { trace_id: 't-1', environment: 'test' } });
export const fastTier = apart(
  { service_tier: 'fast' },
  { service_tier: 'fast' },
  { speed: 'fast' },
);
export const cacheKey = alike({ prompt_cache_key: 'k-1' });
