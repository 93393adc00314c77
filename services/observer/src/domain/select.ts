import type { DestinationRegion, FinishedGeneration as Selectable } from '@sluice/destinations';
import type { Contents } from '@sluice/generation-contents';
import { nanoUsdToNumber } from '@sluice/inference';
import type { FinishedGeneration } from './generation.ts';

/** Returns a generation in the form that the choice of destinations reads. */
export function selectable(
  generation: FinishedGeneration,
  contents: Contents | undefined,
): Selectable {
  const { tokens, trace, sessionId, generationId } = generation;
  const traceId = trace['trace_id'];
  return {
    region: generation.region as DestinationRegion,
    apiKeyHash: generation.keyHash,
    sessionId,
    traceId: typeof traceId === 'string' && traceId !== '' ? traceId : generationId,
    values: {
      model: generation.model,
      provider: given(generation.provider),
      session_id: given(sessionId),
      user_id: given(generation.externalUser),
      api_key_name: given(generation.keyName),
      finish_reason: given(generation.finishReason),
      input: contents && textOf(contents.input),
      output: contents && textOf(contents.output),
      total_cost: nanoUsdToNumber(generation.costNanoUsd),
      total_tokens: tokens.input + tokens.output,
      prompt_tokens: tokens.input,
      completion_tokens: tokens.output,
    },
  };
}

const given = (text: string) => (text === '' ? undefined : text);

function textOf(messages: Contents['input']): string {
  return messages
    .flatMap(({ parts }) => parts.map((part) => ('content' in part ? part.content : '')))
    .join('\n');
}
