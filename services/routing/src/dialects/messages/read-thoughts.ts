import type { ReasoningItem } from '@sluice/inference';
import { openThought } from '../answer/sealed-thought.ts';

/** The format of thoughts that Anthropic's models can read again. */
export const claudeFormat = 'anthropic-claude-v1';

interface ThinkingBody {
  readonly thinking: string;
  readonly signature?: string | null;
}

/** Reads a thought. Its signature is that of a Claude model, or seals what another maker wants back. */
export function readThinking({ thinking, signature }: ThinkingBody, id: string): ReasoningItem {
  const text = thinking === '' ? [] : [thinking];
  const sealed = openThought(signature ?? undefined);
  if (sealed) {
    const { content: _kept, ...replay } = sealed;
    // Makers that encrypt their thoughts tell summaries of them.
    const isSummary = replay.encrypted !== undefined;
    return {
      type: 'reasoning',
      id,
      summary: isSummary ? text : [],
      content: isSummary ? [] : text,
      ...replay,
    };
  }
  const isSigned = typeof signature === 'string' && signature !== '';
  return {
    type: 'reasoning',
    id,
    summary: [],
    content: text,
    encrypted: undefined,
    signature: isSigned ? signature : undefined,
    format: isSigned ? claudeFormat : undefined,
  };
}

export function readRedacted({ data }: { readonly data: string }, id: string): ReasoningItem {
  const sealed = openThought(data);
  const { content: _kept, ...replay } = sealed ?? {
    content: undefined,
    encrypted: data,
    signature: undefined,
    format: claudeFormat,
  };
  return { type: 'reasoning', id, summary: [], content: [], ...replay };
}
