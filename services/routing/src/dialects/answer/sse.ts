/** The reply headers of a stream. */
export const sseHeaders: Readonly<Record<string, string>> = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache',
};

/** A keep-alive comment, which clients skip. */
export const keepAliveBytes: Uint8Array = Buffer.from(': SERVICE PROCESSING\n\n');

/** The end of every stream in OpenAI's formats. */
export const doneBytes: Uint8Array = Buffer.from('data: [DONE]\n\n');
