import { BrokenRule, rule } from './rules.ts';

/** A frame that is no comment: an event, or the mark at the end. */
export type Frame = { readonly kind: 'event'; readonly data: unknown } | { readonly kind: 'done' };

const commentPattern = /^: [^\n]*$/;

/** Cuts bytes into frames, however they were cut on their way. */
export class FrameReader {
  readonly #decoder = new TextDecoder('utf-8', { fatal: true });
  #waiting = '';

  /** The frames that are whole now. Throws BrokenRule. */
  read(bytes: Uint8Array): readonly Frame[] {
    this.#waiting += this.#text(bytes);
    const whole = this.#waiting.split('\n\n');
    this.#waiting = whole.pop() ?? '';
    return whole.flatMap(frameOf);
  }

  /** Nothing may be left over. */
  end(): void {
    rule('frames', this.#waiting === '', () => `cut in the middle: ${this.#waiting.slice(-80)}`);
  }

  #text(bytes: Uint8Array): string {
    try {
      return this.#decoder.decode(bytes, { stream: true });
    } catch {
      throw new BrokenRule('frames', 'bytes that are no UTF-8');
    }
  }
}

function frameOf(frame: string): readonly Frame[] {
  if (commentPattern.test(frame)) return [];
  if (frame === 'data: [DONE]') return [{ kind: 'done' }];
  const [first = '', second = '', ...rest] = frame.split('\n');
  const isEvent = first.startsWith('event: ') && second.startsWith('data: ') && rest.length === 0;
  rule('frames', isEvent, () => frame.slice(0, 80));
  const data = jsonOf(second.slice('data: '.length));
  const type = typeof data === 'object' && data !== null && 'type' in data ? data.type : undefined;
  rule('frames', first === `event: ${String(type)}`, () => `${first} for ${String(type)}`);
  return [{ kind: 'event', data }];
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new BrokenRule('frames', `no JSON: ${text.slice(0, 80)}`);
  }
}
