import type { JsonObject } from '@sluice/client-schemas';

/** Settings of a tool that are fields of its questions. */
export interface InnerSettings {
  readonly max_completion_tokens?: number | null | undefined;
  readonly reasoning?: JsonObject | null | undefined;
  readonly temperature?: number | null | undefined;
}

/** Milliseconds that a call may take whose answer a model writes. */
export const askingMs = 600_000;

/** Returns the fields of a question in the words of `POST /responses`. */
export function innerFields({
  max_completion_tokens: tokensMax,
  reasoning,
  temperature,
}: InnerSettings): JsonObject {
  return {
    ...(typeof tokensMax === 'number' && { max_output_tokens: tokensMax }),
    ...(reasoning && { reasoning }),
    ...(typeof temperature === 'number' && { temperature }),
  };
}
