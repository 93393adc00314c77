import { inspect } from 'node:util';
import { eventually, type Patience } from '@sluice/patience';

/** Polls until the answer is right, and returns it. Returns the last answer when the answers have stopped changing. */
export async function settled<Answer>(
  ask: () => Promise<Answer>,
  isRight: (answer: Answer) => boolean,
  patience: Patience,
): Promise<Answer> {
  let last: { readonly answer: Answer } | undefined;
  try {
    return await eventually(async () => {
      const answer = await ask();
      last = { answer };
      if (isRight(answer)) return answer;
      throw new Error(inspect(answer, { depth: 4, maxArrayLength: 20 }));
    }, patience);
  } catch (error) {
    if (last) return last.answer;
    throw error;
  }
}

/** Waits until a count has grown by so many. Throws a sentence when it grows no more: nothing gets on. */
export async function untilMore(
  count: () => number,
  more: number,
  what: string,
  patience: Patience = {},
): Promise<void> {
  const enough = count() + more;
  await eventually(() => {
    if (count() < enough) throw new Error(`${what} stay ${count()}, and ${enough} are wanted`);
  }, patience);
}
