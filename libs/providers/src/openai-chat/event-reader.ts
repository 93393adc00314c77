import { asString, endOfString, parseJson } from '../json-reader.ts';
import { type ChatChunk, type ChatEvent, isPresent, readChatEvent } from './wire.ts';

const mark = '"content":"';
/** Chunks that differ in more than their text, one after the other: then each is read whole. */
const missesMax = 4;
/** A text that no model writes. Its place in the output is the place of the text. */
const probe = 'ⁿprobeⁿ';

/**
 * Reads the events of one stream. Nearly all of its chunks differ in their text alone: where one begins
 * and ends as the last one did, only the text between is read.
 */
export class ChatEventReader {
  #before = '';
  #after = '';
  #misses = 0;

  read(data: string): ChatEvent {
    const text = this.#textOf(data);
    if (text !== undefined) {
      this.#misses = 0;
      return { type: 'text', text };
    }
    const event = readChatEvent(data);
    this.#before = '';
    if (this.#misses < missesMax && event.type === 'chunk' && saysTextAlone(event.chunk))
      this.#learn(data);
    return event;
  }

  #textOf(data: string): string | undefined {
    if (this.#before === '') return undefined;
    const begin = this.#before.length;
    const end = data.length - this.#after.length;
    // Compared as wholes: `startsWith` goes character by character.
    const isSame =
      begin < end && data.slice(0, begin) === this.#before && data.slice(end) === this.#after;
    return isSame ? asString(parseJson(data.slice(begin, end))) : undefined;
  }

  #learn(data: string): void {
    this.#misses += 1;
    const place = data.indexOf(mark);
    if (place === -1) return;
    const begin = place + mark.length - 1;
    const before = data.slice(0, begin);
    const after = data.slice(endOfString(data, begin) + 1);
    const probed = readChatEvent(`${before}"${probe}"${after}`);
    if (probed.type !== 'chunk' || probed.chunk.message?.text !== probe) return;
    this.#before = before;
    this.#after = after;
  }
}

function saysTextAlone({ message, finishReason, usage }: ChatChunk): boolean {
  return (
    message?.text !== undefined &&
    message.refusal === undefined &&
    message.reasoning === undefined &&
    message.toolCalls.length === 0 &&
    finishReason === undefined &&
    !isPresent(usage)
  );
}
