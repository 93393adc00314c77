import type { ResponseEvent } from './event.ts';

/** Encodes the events of one stream. JSON escapes line breaks, so no text can forge a frame. */
export class SseEncoder {
  #itemId = '';
  #begin = '';

  text(events: readonly ResponseEvent[]): string {
    let text = '';
    for (const event of events)
      text +=
        event.type === 'response.output_text.delta' && event.logprobs.length === 0
          ? this.#textDelta(event)
          : `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
    return text;
  }

  /** Encodes a text delta. Caches the bytes before its text, because most events are deltas of the same item. */
  #textDelta(event: Extract<ResponseEvent, { type: 'response.output_text.delta' }>): string {
    if (event.item_id !== this.#itemId) {
      const { type, item_id: id, output_index: outputIndex, content_index: contentIndex } = event;
      const place = { type, item_id: id, output_index: outputIndex, content_index: contentIndex };
      this.#itemId = id;
      this.#begin = `event: ${type}\ndata: ${JSON.stringify(place).slice(0, -1)},"delta":`;
    }
    const end = `,"logprobs":[],"sequence_number":${String(event.sequence_number)}}\n\n`;
    return this.#begin + JSON.stringify(event.delta) + end;
  }
}

/** Returns the error event for a failure outside of the response. */
export function errorEventBytes(
  failure: { readonly code: string; readonly message: string },
  sequenceNumber: number,
): Uint8Array {
  const event = {
    type: 'error',
    code: failure.code,
    message: failure.message,
    param: null,
    sequence_number: sequenceNumber,
  };
  return Buffer.from(`event: error\ndata: ${JSON.stringify(event)}\n\n`);
}
