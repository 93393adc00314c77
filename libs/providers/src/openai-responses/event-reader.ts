import { asString, endOfString, parseJson } from '../json-reader.ts';
import { readResponsesEvent, type ResponsesEvent } from './wire.ts';

const textMark = '"delta":"';
const numberMark = '"sequence_number":';
/** Some servers end each event with random characters. */
const paddingMark = '"obfuscation":"';
/** Events that differ in more than these, one after the other: then each is read whole. */
const missesMax = 4;
/** A text that no model writes. Its place in the output is the place of the text. */
const probe = 'ⁿprobeⁿ';

/** A value that is another one in each event. */
interface Gap {
  readonly mark: string;
  /** All that stands between the last gap and this one. */
  readonly before: string;
}

type TextEvent = Extract<ResponsesEvent, { type: 'prose-delta' }>;

/**
 * Reads the events of one stream. Nearly all say a piece of the same text: where one differs from the last only
 * in that, its number and its padding, only the text is read.
 */
export class ResponsesEventReader {
  #gaps: readonly Gap[] = [];
  #after = '';
  #last: TextEvent | undefined;
  #misses = 0;

  read(data: string): ResponsesEvent {
    const text = this.#last && this.#textOf(data);
    if (this.#last && text !== undefined) {
      this.#misses = 0;
      const { kind, index, place, logprobs } = this.#last;
      return { type: 'prose-delta', kind, index, place, delta: text, logprobs };
    }
    const event = readResponsesEvent(data);
    this.#last = undefined;
    if (this.#misses < missesMax && saysTextAlone(event)) this.#learn(data);
    return event;
  }

  #textOf(data: string): string | undefined {
    let end = 0;
    let text: string | undefined;
    for (const { mark, before } of this.#gaps) {
      const begin = end + before.length;
      // Compared as wholes: `startsWith` goes character by character.
      if (data.slice(end, begin) !== before) return undefined;
      end = endOfValue(data, mark, begin);
      const value = mark === numberMark ? '' : asString(parseJson(data.slice(begin, end)));
      if (value === undefined || end === begin) return undefined;
      if (mark === textMark) text = value;
    }
    return data.slice(end) === this.#after ? text : undefined;
  }

  #learn(data: string): void {
    this.#misses += 1;
    const gaps: Gap[] = [];
    let probed = '';
    let end = 0;
    for (const mark of marksOf(data)) {
      const begin = data.indexOf(mark) + mark.length - (mark === numberMark ? 0 : 1);
      const before = data.slice(end, begin);
      end = endOfValue(data, mark, begin);
      gaps.push({ mark, before });
      probed += before + (mark === textMark ? `"${probe}"` : data.slice(begin, end));
    }
    const after = data.slice(end);
    const event = readResponsesEvent(probed + after);
    if (!saysTextAlone(event) || event.delta !== probe) return;
    this.#gaps = gaps;
    this.#after = after;
    this.#last = event;
  }
}

/** Those that are there, in their order. */
function marksOf(data: string): readonly string[] {
  return [textMark, numberMark, paddingMark]
    .filter((mark) => data.includes(mark))
    .toSorted((one, other) => data.indexOf(one) - data.indexOf(other));
}

/** Returns the end of the number or string that begins here. Returns its begin if there is none. */
function endOfValue(data: string, mark: string, begin: number): number {
  return mark === numberMark ? endOfNumber(data, begin) : endOfString(data, begin) + 1;
}

const zero = 0x30;
const nine = 0x39;

function endOfNumber(data: string, begin: number): number {
  let end = begin;
  for (; end < data.length; end += 1) {
    const character = data.charCodeAt(end);
    if (character < zero || character > nine) break;
  }
  return data.charCodeAt(begin) === zero && end > begin + 1 ? begin : end;
}

function saysTextAlone(event: ResponsesEvent): event is TextEvent {
  return event.type === 'prose-delta' && event.kind === 'text' && event.logprobs.length === 0;
}
