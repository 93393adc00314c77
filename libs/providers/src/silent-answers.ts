import { type InferenceRequest, isOutput, type StreamPart } from '@sluice/inference';
import type { ChangeParts } from './tools/restore-calls.ts';
import { emptyPart } from './upstream-error.ts';

interface SilenceRules {
  /** The model may end its turn after the results of tools without a word. */
  readonly maySayNothing: boolean;
}

/**
 * Returns a check that fails an answer which ended by itself and says nothing, although it has tokens. Another endpoint
 * may answer, and the client does not pay for silence. Where the request allows silence, the answer stays.
 */
export function failSilence(request: InferenceRequest, rules: SilenceRules): ChangeParts {
  let hasSpoken = false;
  /** The beginnings and ends of parts without content. */
  let waiting: readonly StreamPart[] = none;
  return (parts) => {
    if (hasSpoken) return parts;
    hasSpoken = parts.some(
      (part) => isOutput(part) && !isMark(part) && !(isEnd(part) && !allowsSilence(request, rules)),
    );
    if (hasSpoken) return waiting.length === 0 ? parts : [...waiting, ...parts];
    waiting = [...waiting, ...parts.filter(isMark)];
    return parts
      .filter((part) => !isMark(part))
      .map((part) => (part.type === 'finish' ? emptyPart(part.usage) : part));
  };
}

const none: readonly StreamPart[] = [];

/** Returns true for the end of an answer that nothing cut. */
function isEnd(part: StreamPart): boolean {
  return part.type === 'finish' && part.reason !== 'length' && part.reason !== 'content-filter';
}

/** Returns true for the begin or the end of a text, which says nothing by itself. */
function isMark({ type }: StreamPart): boolean {
  return (
    type === 'text-start' ||
    type === 'text-end' ||
    type === 'refusal-start' ||
    type === 'refusal-end'
  );
}

/** A stop sequence may come first, and a model that goes on with its own message may find that it is complete. */
function allowsSilence(
  { items, options = {} }: InferenceRequest,
  { maySayNothing }: SilenceRules,
): boolean {
  const last = items.at(-1);
  const goesOn = last?.type === 'message' && last.role === 'assistant';
  const isAnswered = last !== undefined && 'output' in last;
  return (options.stop ?? []).length > 0 || goesOn || (isAnswered && maySayNothing);
}
