import type { ResponseEvent } from './event.ts';

/** The reply headers of a stream. */
export const sseHeaders: Readonly<Record<string, string>> = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache',
};

/** Says that the service still works; clients skip it. */
export const keepAliveBytes: Uint8Array = Buffer.from(': SERVICE PROCESSING\n\n');

/** The end of every stream. */
export const doneBytes: Uint8Array = Buffer.from('data: [DONE]\n\n');

/** Events as they go over the wire. JSON escapes line breaks, so none can forge a frame. */
export function sseBytes(events: readonly ResponseEvent[]): Uint8Array {
  let text = '';
  for (const event of events) text += `event: ${event.type}\ndata: ${eventText(event)}\n\n`;
  return Buffer.from(text);
}

/** Its JSON. Most events say a piece of text: of those only the text is looked at, as the id is ours. */
function eventText(event: ResponseEvent): string {
  if (event.type !== 'response.output_text.delta' || event.logprobs.length > 0)
    return JSON.stringify(event);
  const place = `"item_id":"${event.item_id}","output_index":${String(event.output_index)}`;
  const text = `"content_index":${String(event.content_index)},"delta":${JSON.stringify(event.delta)}`;
  const end = `"logprobs":[],"sequence_number":${String(event.sequence_number)}`;
  return `{"type":"response.output_text.delta",${place},${text},${end}}`;
}

/** A failure outside of the response: the one event that can then be told. */
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
