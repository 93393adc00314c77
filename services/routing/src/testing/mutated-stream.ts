import { diceOf, type Dice, type Json, mutated } from './mutated-bodies.ts';

interface Frame {
  /** Lines before the data, such as `event: x`. */
  readonly head: string;
  /** JSON where it is some, text otherwise. */
  readonly data: Json;
  readonly isJson: boolean;
}

const mutationsMax = 5;

/**
 * Returns the stream of a faulty upstream: the events of a real one, reordered and damaged. Seed 0 changes nothing.
 */
export function mutatedStream(text: string, seed: number): string {
  if (seed === 0) return text;
  const dice = diceOf(seed);
  const original = text
    .split(/\r?\n\r?\n/)
    .filter((frame) => frame !== '')
    .map(frameOf);
  let frames: readonly Frame[] = original;
  for (let count = 1 + dice(mutationsMax); count > 0; count--)
    frames = changed(frames, original, dice);
  return frames.map(textOf).join('');
}

function frameOf(text: string): Frame {
  const place = text.search(/^data:/m);
  const head = text.slice(0, Math.max(place, 0));
  const data = text.slice(place).replace(/^data: ?/, '');
  try {
    return { head, data: JSON.parse(data) as Json, isJson: true };
  } catch {
    return { head, data, isJson: false };
  }
}

function textOf({ head, data, isJson }: Frame): string {
  const text = typeof data === 'string' && !isJson ? data : JSON.stringify(data);
  return `${head}data: ${text}\n\n`;
}

function changed(
  frames: readonly Frame[],
  original: readonly Frame[],
  dice: Dice,
): readonly Frame[] {
  const place = dice(frames.length);
  const frame = frames[place];
  if (!frame) return original;
  const other = original[dice(original.length)] ?? frame;
  switch (dice(8)) {
    case 0:
      return frames.toSpliced(place, 1);
    case 1:
      return frames.toSpliced(place, 0, other);
    case 2:
      return frames.with(place, other);
    case 3:
      return frames.slice(0, place + 1);
    case 4:
      return [...frames, ...original];
    default: {
      const seeds = original.filter(({ isJson }) => isJson).map(({ data }) => data);
      return frames.with(place, { ...frame, data: mutated(frame.data, seeds, dice) });
    }
  }
}
