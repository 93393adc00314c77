import type { InputItem, ReasoningItem } from '@sluice/inference';

/** The output before a thought. */
interface Before {
  readonly calls: number;
  readonly hasProse: boolean;
}

/**
 * Returns the id of a thought. It is unique in a conversation, and it ends with the place of the thought: messages
 * have thoughts, text and calls in three fields, and a signature is valid only for what follows its thought.
 */
export function thoughtId(name: string, index: number, { calls, hasProse }: Before): string {
  const place = calls > 0 || hasProse ? calls + 1 : 0;
  return `rs_${name}_${String(index)}_at${String(place)}`;
}

const placed = /_at(\d{1,4})$/;

/** Returns 0 for a thought before the text, and n for one before the n-th call. Other ids name no place. */
function placeOf({ id }: ReasoningItem): number {
  return Number(placed.exec(id)?.[1] ?? 0);
}

/**
 * Returns the items of one message in the order in which the model said them. A thought after all that was said belongs
 * to a picture: they stand behind the text.
 */
export function inPlaces(
  thoughts: readonly ReasoningItem[],
  prose: readonly InputItem[],
  calls: readonly InputItem[],
): readonly InputItem[] {
  const end = calls.length + 1;
  const byPlace = Map.groupBy(thoughts, (thought) => Math.min(placeOf(thought), end));
  const at = (place: number) => byPlace.get(place) ?? [];
  if (calls.length === 0 && prose.some(isIllustrated)) return [...at(0), ...at(end), ...prose];
  return [
    ...at(0),
    ...prose,
    ...calls.flatMap((call, index) => [...at(index + 1), call]),
    ...at(end),
  ];
}

function isIllustrated(item: InputItem): boolean {
  return item.type === 'message' && item.content.some(({ type }) => type === 'image');
}
