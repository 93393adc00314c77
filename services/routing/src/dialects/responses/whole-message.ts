import type { StreamPart } from '@sluice/inference';
import type { ResponseState } from './events.ts';
import { outcomeOf } from './outcome.ts';
import type { ProseItem } from './output-item.ts';

/** From its beginning to its end: what an answer that is one text says, when it comes at once. */
const partsOfMessage = 5;
const none: readonly [] = [];

/**
 * What the parts of a whole answer make of a response that has said nothing and that nobody hears of: the same as
 * advancing it part by part, at a fraction of the cost. undefined: they are not simply one text.
 */
export function wholeMessage(
  state: ResponseState,
  parts: readonly StreamPart[],
): ResponseState | undefined {
  if (state.isHeard || state.items.length > 0 || parts.length !== partsOfMessage) return undefined;
  const [named, start, delta, end, last] = parts;
  if (named?.type !== 'response-start' || start?.type !== 'text-start') return undefined;
  if (delta?.type !== 'text-delta' || end?.type !== 'text-end') return undefined;
  if (delta.part !== start.part || end.part !== start.part) return undefined;
  if (last?.type !== 'finish' || last.reason !== 'stop') return undefined;
  const { head, itemId, nextSequenceNumber } = state;
  const item: ProseItem = {
    kind: 'text',
    text: delta.delta,
    annotations: none,
    logprobs: delta.logprobs ?? none,
    id: itemId('msg', 0),
    part: start.part,
    status: 'completed',
  };
  return {
    head,
    itemId,
    nextSequenceNumber,
    items: [item],
    outcome: outcomeOf(last, { hasOutput: true }),
    isHeard: false,
  };
}
