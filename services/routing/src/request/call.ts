import type { InferenceRequest } from '@sluice/inference';
import type { Preferences } from './preferences.ts';

/** A valid request to create a response. */
export interface ResponsesRequest {
  /** Which models, at which endpoints. */
  readonly preferences: Preferences;
  /** The request to the model. `maxOutputTokens` is the client's own limit. */
  readonly inference: InferenceRequest;
  readonly user: string | undefined;
  readonly sessionId: string | undefined;
  /** Never sent upstream as it is. */
  readonly safetyIdentifier: string | undefined;
  /** JSON of an object; empty: none. Kept with the generation, and never sent upstream. */
  readonly trace: string;
  /** The client wants to see what goes to each provider. Of a stream alone. */
  readonly echoesUpstreamBody: boolean;
  readonly echo: RequestEcho;
  /** A header text that names fields without effect. Absent: there are none. */
  readonly warning?: string;
}

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
  readonly tools: readonly unknown[];
  readonly top_p: number | null;
  readonly user: string | null;
  readonly frequency_penalty: number | null;
  readonly presence_penalty: number | null;
  readonly top_logprobs: number;
  readonly reasoning: unknown;
  readonly text: unknown;
  readonly prompt: unknown;
  readonly prompt_cache_key: string | null;
  readonly prompt_cache_options: unknown;
}
