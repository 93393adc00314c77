import { PassThrough } from 'node:stream';

/** The stream of the bytes that pieces of base64 stand for, cut anywhere. */
export interface Decoded {
  readonly stream: PassThrough;
  add(text: string): void;
}

export function decoded(): Decoded {
  const stream = new PassThrough();
  let rest = '';
  return {
    stream,
    add(text) {
      const whole = rest + text;
      const end = whole.length - (whole.length % 4);
      rest = whole.slice(end);
      if (end > 0) stream.write(Buffer.from(whole.slice(0, end), 'base64'));
    },
  };
}
