import type { EventIndex } from './event-index.ts';
import { compilePattern, type Pattern } from './pattern.ts';

/** Which events of `$all` a reader wants; decided from the index, no payload is read for it. */
export type EventFilter = (index: EventIndex, ordinal: number) => boolean;

export interface FilterExpression {
  readonly on: 'stream' | 'type';
  readonly prefixes: readonly string[];
  /** Used when it is not empty. */
  readonly regex: string;
}

export const everyEvent: EventFilter = () => true;

/**
 * Makes the filter of one reader. It remembers its answer for each stream or type, so that a costly expression
 * is paid for once a name. Throws PatternError for an expression that is not understood.
 */
export function eventFilter({ on, prefixes, regex }: FilterExpression): EventFilter {
  const matches: Pattern =
    regex === ''
      ? (text) => prefixes.some((prefix) => text.startsWith(prefix))
      : compilePattern(regex);
  const answers = new AnswerByNumber();
  if (on === 'stream')
    return (index, ordinal) => {
      const { number, name } = index.streamAt(ordinal);
      return answers.get(number) ?? answers.set(number, matches(name));
    };
  return (index, ordinal) => {
    const number = index.typeNumberAt(ordinal);
    return answers.get(number) ?? answers.set(number, matches(index.typeAt(ordinal)));
  };
}

const unknown = 0;
const yes = 1;
const no = 2;

/** One byte for each name, however many there are. */
class AnswerByNumber {
  #answers = new Uint8Array(1_024);

  get(number: number): boolean | undefined {
    const answer = number < this.#answers.length ? this.#answers[number] : unknown;
    return answer === unknown ? undefined : answer === yes;
  }

  set(number: number, answer: boolean): boolean {
    if (number >= this.#answers.length) {
      const larger = new Uint8Array(2 ** Math.ceil(Math.log2(number + 1)));
      larger.set(this.#answers);
      this.#answers = larger;
    }
    this.#answers[number] = answer ? yes : no;
    return answer;
  }
}
