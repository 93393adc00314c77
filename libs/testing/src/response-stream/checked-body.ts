import { EventChecker, type StreamExpectation } from './event-checker.ts';
import type { StreamEvent } from './event-shapes.ts';
import { FrameReader } from './frames.ts';
import { rule } from './rules.ts';

/** Reads the bytes of one stream, however they are cut, and holds them against every rule. */
class StreamReader {
  readonly #frames = new FrameReader();
  readonly #checker: EventChecker;
  readonly #isLeft: () => boolean;
  #isDone = false;

  constructor(expectation: StreamExpectation) {
    this.#isLeft = expectation.isLeft ?? (() => false);
    this.#checker = new EventChecker(expectation);
  }

  read(bytes: Uint8Array): readonly StreamEvent[] {
    const events: StreamEvent[] = [];
    for (const frame of this.#frames.read(bytes)) {
      rule('done-mark', !this.#isDone, () => 'something comes after it');
      if (frame.kind === 'event') events.push(this.#checker.take(frame.data));
      else {
        rule('terminal', this.#checker.isEnded, () => 'the mark comes before it');
        this.#isDone = true;
      }
    }
    return events;
  }

  end(): void {
    if (this.#isLeft()) return;
    this.#frames.end();
    rule('terminal', this.#checker.isEnded, () => 'there is none');
    rule('done-mark', this.#isDone, () => 'it is missing');
  }
}

/**
 * The same bytes, checked as they pass: whoever reads them gets BrokenRule where a rule is broken. A stream
 * that its reader leaves, or that breaks off with an error, need not end.
 */
export async function* checkedBody(
  body: AsyncIterable<Uint8Array>,
  expectation: StreamExpectation = {},
): AsyncGenerator<Uint8Array, void> {
  const reader = new StreamReader(expectation);
  for await (const bytes of body) {
    reader.read(bytes);
    yield bytes;
  }
  reader.end();
}

/** The events of a whole stream. Throws BrokenRule. */
export function readStream(
  text: string,
  expectation: StreamExpectation = {},
): readonly StreamEvent[] {
  const reader = new StreamReader(expectation);
  const events = reader.read(Buffer.from(text));
  reader.end();
  return events;
}
