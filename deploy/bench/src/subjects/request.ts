import type { Door } from './door.ts';
import type { Subject } from './subject.ts';

export interface RequestShape {
  /** Bytes of the whole body, including the JSON around the text. */
  readonly bodyBytes: number;
  readonly isStreaming: boolean;
}

/** A conversation of turns of about this length: a long one has many. */
const turnBytes = 2_000;
const sentence = String.raw`She said \"no\", and then:\n\n- nothing more was to be done that day. `;

/** One HTTP/1.1 request of exactly that many bytes of body. Throws where so few cannot hold one. */
export function requestOf(
  {
    path,
    port,
    model,
    headers,
    door,
  }: Pick<Subject, 'path' | 'port' | 'model' | 'headers' | 'door'>,
  shape: RequestShape,
): Buffer {
  const body = bodyOf(model, shape, door);
  const lines = [
    `POST ${path} HTTP/1.1`,
    `host: 127.0.0.1:${port}`,
    'content-type: application/json',
    `content-length: ${Buffer.byteLength(body)}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ];
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${body}`);
}

/** The body of such a request: ASCII, with what has to be escaped in JSON. */
export function bodyOf(
  model: string,
  { bodyBytes, isStreaming }: RequestShape,
  { turnsField, makesVectors }: Door,
): string {
  if (makesVectors) {
    const ofText = (text: string) =>
      `{"model":"${model}","encoding_format":"base64","${turnsField}":"${text}"}`;
    return ofText(proseOf(roomIn(ofText(''), bodyBytes)));
  }
  const whole = (turns: string) =>
    `{"model":"${model}","stream":${isStreaming},"${turnsField}":[${turns}]}`;
  const turn = (role: string, text: string) => `{"role":"${role}","content":"${text}"}`;
  // One turn of the user at least; pairs of turns before it while there is room.
  let textBytes = roomIn(whole(turn('user', '')), bodyBytes);
  const earlier: string[] = [];
  const text = proseOf(turnBytes);
  const pair = `${turn('user', text)},${turn('assistant', text)},`;
  while (textBytes > pair.length + turnBytes) {
    earlier.push(pair);
    textBytes -= pair.length;
  }
  return whole(earlier.join('') + turn('user', proseOf(textBytes)));
}

/** Returns the bytes that a body has left for its text. */
function roomIn(emptyBody: string, bodyBytes: number): number {
  const textBytes = bodyBytes - emptyBody.length;
  if (textBytes < 1) throw new Error(`${bodyBytes} bytes are too few for a request`);
  return textBytes;
}

/** JSON text of so many bytes, never cut inside an escape. */
function proseOf(bytes: number): string {
  const times = Math.floor(bytes / sentence.length);
  return sentence.repeat(times) + 'x'.repeat(bytes - times * sentence.length);
}
