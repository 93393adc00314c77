import type { Check } from './broken-rule.ts';

/** Holds the frames of one stream of server-sent events against the rules of its dialect. */
export interface FrameChecker<Event> {
  readonly check: Check<'frames'>;
  /** Takes a frame that is no comment. Returns its event; undefined for one that clients do not see. */
  frame(text: string): Event | undefined;
  end(): void;
}

const commentPattern = /^: [^\n]*$/;

/** Cuts bytes into frames, however they were cut on their way. */
class FrameReader<Event> {
  readonly #decoder = new TextDecoder('utf-8', { fatal: true });
  readonly #checker: FrameChecker<Event>;
  #waiting = '';

  constructor(checker: FrameChecker<Event>) {
    this.#checker = checker;
  }

  /** Returns the events that are whole now. Throws BrokenRule. */
  read(bytes: Uint8Array): readonly Event[] {
    this.#waiting += this.#textOf(bytes);
    const frames = this.#waiting.split('\n\n');
    this.#waiting = frames.pop() ?? '';
    return frames
      .filter((frame) => !commentPattern.test(frame))
      .map((frame) => this.#checker.frame(frame))
      .filter((event) => event !== undefined);
  }

  /** Nothing may be left over. */
  end(): void {
    const check: Check<'frames'> = this.#checker.check;
    check('frames', this.#waiting === '', () => `cut in the middle: ${this.#waiting.slice(-80)}`);
    this.#checker.end();
  }

  #textOf(bytes: Uint8Array): string {
    try {
      return this.#decoder.decode(bytes, { stream: true });
    } catch {
      return broken(this.#checker.check, 'bytes that are no UTF-8');
    }
  }
}

/**
 * Yields the same bytes, checked as they pass: the reader gets BrokenRule where a rule is broken. A stream
 * that its reader leaves, or that breaks off with an error, need not end.
 */
export async function* checkedStream<Event>(
  body: AsyncIterable<Uint8Array>,
  checker: FrameChecker<Event>,
  isLeft: () => boolean = () => false,
): AsyncGenerator<Uint8Array, void> {
  const reader = new FrameReader(checker);
  for await (const bytes of body) {
    reader.read(bytes);
    yield bytes;
  }
  if (!isLeft()) reader.end();
}

/** Returns the events of a whole stream, which needs no end if its reader left. Throws BrokenRule. */
export function readWhole<Event>(
  text: string,
  checker: FrameChecker<Event>,
  isLeft: () => boolean = () => false,
): readonly Event[] {
  const reader = new FrameReader(checker);
  const events = reader.read(Buffer.from(text));
  if (!isLeft()) reader.end();
  return events;
}

export const dataMark = 'data: ';

/** Returns the data of a frame with an event line, which names the type in the data line after it. */
export function namedEvent(frame: string, check: Check<'frames'>): unknown {
  const [name = '', data = '', ...rest] = frame.split('\n');
  const isEvent = name.startsWith('event: ') && data.startsWith(dataMark) && rest.length === 0;
  check('frames', isEvent, () => frame.slice(0, 80));
  const event = jsonOf(data.slice(dataMark.length), check);
  const { type } = (event ?? {}) as { readonly type?: unknown };
  check('frames', name === `event: ${String(type)}`, () => `${name} for ${String(type)}`);
  return event;
}

export function jsonOf(text: string, check: Check<'frames'>): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return broken(check, `no JSON: ${text.slice(0, 80)}`);
  }
}

function broken(check: Check<'frames'>, what: string): never {
  check('frames', false, () => what);
}
