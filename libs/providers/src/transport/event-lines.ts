import { createParser, ParseError } from 'eventsource-parser';

interface EventLines {
  /** Bounds one event, in characters. */
  readonly maxBufferSize: number;
  readonly onEvent: (data: string, name: string | undefined) => void;
  /** Gets a line that is no field of an event. */
  readonly onLine: (text: string) => void;
  readonly onTooLong: () => void;
}

/** The fields of an event, and the comment. */
const fields = ['data:', 'event:', 'id:', 'retry:', ':'];
/** Bounds a line that is held back. The parser drops the rest of a longer one. */
const heldCharactersMax = 64 * 1024;

/**
 * Splits a stream of text into events and into lines that belong to none. The parser drops such a line if a chunk ends
 * within it, so the line is held back until it is whole.
 */
export class EventLineParser {
  readonly #parser: ReturnType<typeof createParser>;
  #held = '';
  #isWithinLine = false;

  constructor({ maxBufferSize, onEvent, onLine, onTooLong }: EventLines) {
    this.#parser = createParser({
      maxBufferSize,
      onEvent: ({ data, event }) => onEvent(data, event),
      onError: (error) => {
        if (!(error instanceof ParseError)) return;
        if (error.type === 'max-buffer-size-exceeded') onTooLong();
        else if (error.line !== undefined) onLine(error.line);
      },
    });
  }

  feed(chunk: string): void {
    const text = this.#held + chunk;
    this.#held = '';
    const last = text.at(-1);
    // Most chunks end with an event.
    if (last === '\n' || last === '\r' || last === undefined) {
      this.#isWithinLine &&= last === undefined;
      return this.#parser.feed(text);
    }
    const begin = Math.max(text.lastIndexOf('\n'), text.lastIndexOf('\r')) + 1;
    const isNewLine = begin > 0 || !this.#isWithinLine;
    this.#isWithinLine = true;
    const line = text.slice(begin);
    if (!isNewLine || isField(line) || line.length > heldCharactersMax)
      return this.#parser.feed(text);
    this.#held = line;
    this.#isWithinLine = false;
    this.#parser.feed(text.slice(0, begin));
  }

  /** Ends the last line and the last event. */
  end(rest: string): void {
    this.feed(`${rest}\n\n`);
  }
}

function isField(line: string): boolean {
  return fields.some((field) => line.startsWith(field) || field.startsWith(line));
}
