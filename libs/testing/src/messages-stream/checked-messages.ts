import { MessageChecker, type MessageEvent } from './message-checker.ts';
import { BrokenMessageRule, messageRule } from './rules.ts';

const commentPattern = /^: [^\n]*$/;
const dataMark = 'data: ';

/** Reads the bytes of one stream, however they are cut, and holds them against every rule. */
class EventReader {
  readonly #decoder = new TextDecoder('utf-8', { fatal: true });
  readonly #checker: MessageChecker;
  #waiting = '';

  constructor(generationId: string | undefined) {
    this.#checker = new MessageChecker(generationId);
  }

  read(bytes: Uint8Array): readonly MessageEvent[] {
    this.#waiting += this.#textOf(bytes);
    const frames = this.#waiting.split('\n\n');
    this.#waiting = frames.pop() ?? '';
    return frames.flatMap((frame) => this.#frame(frame));
  }

  end(): void {
    const { isEnded } = this.#checker;
    messageRule('frames', this.#waiting === '', () => `cut in the middle: ${this.#waiting}`);
    messageRule('end-once', isEnded, () => 'there is none');
  }

  #textOf(bytes: Uint8Array): string {
    try {
      return this.#decoder.decode(bytes, { stream: true });
    } catch {
      throw new BrokenMessageRule('frames', 'bytes that are no UTF-8');
    }
  }

  #frame(frame: string): readonly MessageEvent[] {
    if (commentPattern.test(frame)) return [];
    const [name = '', data = '', ...rest] = frame.split('\n');
    const isEvent = name.startsWith('event: ') && data.startsWith(dataMark) && rest.length === 0;
    messageRule('frames', isEvent, () => frame.slice(0, 80));
    const event = jsonOf(data.slice(dataMark.length));
    const { type } = (event ?? {}) as { readonly type?: unknown };
    messageRule('frames', name === `event: ${String(type)}`, () => `${name} for ${String(type)}`);
    return [this.#checker.take(event)];
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new BrokenMessageRule('frames', `no JSON: ${text.slice(0, 80)}`);
  }
}

interface Expectation {
  readonly generationId?: string | undefined;
  /** True once the reader has left: the stream need not end. */
  readonly isLeft?: () => boolean;
}

/** Yields the same bytes, checked as they pass: the reader gets BrokenMessageRule where a rule is broken. */
export async function* checkedMessages(
  body: AsyncIterable<Uint8Array>,
  { generationId, isLeft = () => false }: Expectation = {},
): AsyncGenerator<Uint8Array, void> {
  const reader = new EventReader(generationId);
  for await (const bytes of body) {
    reader.read(bytes);
    yield bytes;
  }
  if (!isLeft()) reader.end();
}

/** Returns the events of a whole stream. Throws BrokenMessageRule. */
export function readMessages(text: string, generationId?: string): readonly MessageEvent[] {
  const reader = new EventReader(generationId);
  const events = reader.read(Buffer.from(text));
  reader.end();
  return events;
}
