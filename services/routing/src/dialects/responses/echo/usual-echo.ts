import type { RequestEcho } from './request-echo.ts';

/** The shared echo of all requests without options. */
export const usualEcho: RequestEcho = {
  instructions: null,
  max_output_tokens: null,
  max_tool_calls: null,
  metadata: {},
  parallel_tool_calls: true,
  safety_identifier: null,
  temperature: null,
  tool_choice: 'auto',
  tools: [],
  top_p: null,
  user: null,
  frequency_penalty: null,
  presence_penalty: null,
  top_logprobs: 0,
  reasoning: null,
  text: { format: { type: 'text' } },
  prompt: null,
  prompt_cache_key: null,
  prompt_cache_options: null,
};
