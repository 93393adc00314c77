import {
  checkedStream,
  type FrameChecker,
  namedEvent,
  readWhole,
} from '../checked-stream/checked-stream.ts';
import { EventChecker, type StreamExpectation } from './event-checker.ts';
import type { StreamEvent } from './event-shapes.ts';
import { rule } from './rules.ts';

/** Holds the frames of a stream of response events against every rule. */
class EventFrames implements FrameChecker<StreamEvent> {
  readonly check = rule;
  readonly #checker: EventChecker;
  #isDone = false;

  constructor(expectation: StreamExpectation) {
    this.#checker = new EventChecker(expectation);
  }

  frame(frame: string): StreamEvent | undefined {
    const isMark = frame === 'data: [DONE]';
    const event = isMark ? undefined : namedEvent(frame, rule);
    rule('done-mark', !this.#isDone, () => 'something comes after it');
    if (!isMark) return this.#checker.take(event);
    rule('terminal', this.#checker.isEnded, () => 'the mark comes before it');
    this.#isDone = true;
    return undefined;
  }

  end(): void {
    rule('terminal', this.#checker.isEnded, () => 'there is none');
    rule('done-mark', this.#isDone, () => 'it is missing');
  }
}

/** Yields the same bytes, checked as they pass. */
export function checkedBody(
  body: AsyncIterable<Uint8Array>,
  expectation: StreamExpectation = {},
): AsyncGenerator<Uint8Array, void> {
  return checkedStream(body, new EventFrames(expectation), expectation.isLeft);
}

/** Returns the events of a whole stream. Throws BrokenRule. */
export function readStream(
  text: string,
  expectation: StreamExpectation = {},
): readonly StreamEvent[] {
  return readWhole(text, new EventFrames(expectation), expectation.isLeft);
}
