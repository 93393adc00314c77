/** The fields of the request that the response object repeats. */
export interface RequestEcho {
  readonly instructions: string | null;
  readonly max_output_tokens: number | null;
  readonly max_tool_calls: number | null;
  readonly metadata: Readonly<Record<string, string>>;
  readonly parallel_tool_calls: boolean;
  readonly safety_identifier: string | null;
  readonly temperature: number | null;
  readonly tool_choice: unknown;
  readonly tools: readonly Readonly<Record<string, unknown>>[];
  readonly top_p: number | null;
  readonly user: string | null;
  readonly frequency_penalty: number | null;
  readonly presence_penalty: number | null;
  readonly top_logprobs: number;
  readonly reasoning: unknown;
  readonly text: unknown;
  readonly prompt: unknown;
  readonly prompt_cache_key: string | null;
  readonly truncation: 'auto' | 'disabled';
  readonly prompt_cache_options: unknown;
}
