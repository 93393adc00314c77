import { StringDecoder } from 'node:string_decoder';
import type { StreamPart } from '@sluice/inference';
import { parseJson } from '../json-reader.ts';
import type { StreamReader } from '../stream-reader.ts';
import type { Translator } from '../translation.ts';
import { malformedPart } from '../upstream-error.ts';
import { EventLineParser } from './event-lines.ts';

/** Reads a reply's body chunk by chunk. Never throws: a malformed body gives an `error` part. */
export interface BodyReader {
  push(chunk: Uint8Array): readonly StreamPart[];
  end(): readonly StreamPart[];
  /** Returns the bytes that were read and not yet returned as parts. */
  unreadBytes(): number;
}

/** Bounds one server-sent event. An image arrives in one event. */
const eventCharactersMax = 16 * 1024 * 1024;
/** Bounds a whole stream. */
const streamBytesMax = 64 * 1024 * 1024;
/** Bounds a body that is not a stream. */
const wholeBytesMax = 32 * 1024 * 1024;

const none: readonly StreamPart[] = [];

/** Reads an event stream: bytes → text → events → parts. Chunk boundaries do not affect the parts. */
export function eventReader(stream: StreamReader): BodyReader {
  // A TextDecoder in stream mode returns strings with two bytes for each character.
  const decoder = new StringDecoder('utf8');
  let first: readonly StreamPart[] = none;
  let all: StreamPart[] | undefined;
  let bytes = 0;
  let unreadBytes = 0;
  let isMalformed = false;
  let hasEnded = false;
  // Most chunks have one event. Its parts are returned without a copy.
  const add = (parts: readonly StreamPart[]): void => {
    if (first.length === 0) {
      first = parts;
      return;
    }
    all ??= [...first];
    for (const part of parts) all.push(part);
  };
  const parser = new EventLineParser({
    maxBufferSize: eventCharactersMax,
    onEvent: (data, name) => {
      unreadBytes = 0;
      if (isMalformed || (hasEnded && isFragment(data))) return;
      add(stream.push(data, name));
    },
    onLine: (text) => {
      unreadBytes = 0;
      if (!isMalformed) add(stream.line(text));
    },
    onTooLong: () => refuse(),
  });
  const refuse = (): void => {
    if (!isMalformed) add([malformedPart()]);
    isMalformed = true;
  };
  const take = (): readonly StreamPart[] => {
    const taken = all ?? first;
    first = none;
    all = undefined;
    return taken;
  };
  return {
    push: (chunk) => {
      bytes += chunk.byteLength;
      unreadBytes += chunk.byteLength;
      if (bytes > streamBytesMax) refuse();
      if (!isMalformed) parser.feed(decoder.write(chunk));
      return take();
    },
    end: () => {
      if (!isMalformed) {
        hasEnded = true;
        parser.end(decoder.end());
        add(stream.end());
      }
      return take();
    },
    unreadBytes: () => unreadBytes,
  };
}

/** Returns true if a cut left only a part of the last event. An event that lacks only its blank line is complete. */
function isFragment(data: string): boolean {
  return data.startsWith('{') && parseJson(data) === undefined;
}

/** Collects a body that is one JSON value, then reads its parts. */
export class WholeReader implements BodyReader {
  readonly #translator: Pick<Translator, 'parse' | 'whole'>;
  readonly #body: BoundedBody;

  constructor(translator: Pick<Translator, 'parse' | 'whole'>, bytesMax: number = wholeBytesMax) {
    this.#translator = translator;
    this.#body = new BoundedBody(bytesMax);
  }

  push(chunk: Uint8Array): readonly StreamPart[] {
    return this.#body.push(chunk) ? none : [malformedPart()];
  }

  end(): readonly StreamPart[] {
    const { parse = parseJson, whole } = this.#translator;
    return whole(parse(this.#body.text()));
  }

  unreadBytes(): number {
    return this.#body.bytes;
  }
}

/** Keeps the chunks of a body up to a bound. */
export class BoundedBody {
  readonly #bytesMax: number;
  readonly #chunks: Uint8Array[] = [];
  #bytes = 0;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Returns false if the body exceeds the bound. */
  push(chunk: Uint8Array): boolean {
    this.#bytes += chunk.byteLength;
    if (this.#bytes > this.#bytesMax) return false;
    this.#chunks.push(chunk);
    return true;
  }

  text(): string {
    const [first] = this.#chunks;
    // Most bodies arrive in one piece, which needs no copy.
    const isWhole = this.#chunks.length === 1 && first instanceof Buffer;
    return (isWhole ? first : Buffer.concat(this.#chunks)).toString('utf8');
  }
}
