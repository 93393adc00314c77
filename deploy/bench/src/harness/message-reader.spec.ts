import { deepEqual, equal, throws } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { MessageReader } from './message-reader.ts';

const sized = 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello';
const empty = 'HTTP/1.1 429 Too Many Requests\r\ncontent-length: 0\r\n\r\n';
const chunked =
  'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n' +
  '6\r\ndata: \r\nA;note=1\r\n0123456789\r\n0\r\nx-trailer: 1\r\n\r\n';

/** Feeds the text to a reader in pieces of `pieceBytes`. Returns the first lines and bodies that it found. */
function told(text: string, pieceBytes: number): readonly string[] {
  const messages: string[] = [];
  let body = '';
  const reader = new MessageReader('is refused', {
    onHead: (head) => messages.push(head.split('\r\n')[0] ?? ''),
    onBody: (bytes) => (body += bytes.toString('latin1')),
    onEnd() {
      messages.push(body);
      body = '';
    },
  });
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += pieceBytes)
    reader.read(bytes.subarray(at, at + pieceBytes));
  equal(reader.isInside, false);
  return messages;
}

describe('the reader of messages', () => {
  test('finds the same messages however the bytes are cut', () => {
    const text = sized + chunked + empty + sized;
    for (let pieceBytes = 1; pieceBytes <= text.length; pieceBytes += 1)
      deepEqual(told(text, pieceBytes), [
        'HTTP/1.1 200 OK',
        'hello',
        'HTTP/1.1 200 OK',
        'data: 0123456789',
        'HTTP/1.1 429 Too Many Requests',
        '',
        'HTTP/1.1 200 OK',
        'hello',
      ]);
  });

  test('refuses a response whose end nobody can know', () => {
    throws(() => told('HTTP/1.1 200 OK\r\n\r\nhello', 100), /tells no length/);
  });

  test('refuses a size that is none, and a head without end', () => {
    throws(() => told(chunked.replace('6\r\n', 'six\r\n'), 100), /No size of a chunk: six/);
    throws(() => told('x'.repeat(70_000), 1_000), /too long/);
  });

  test('knows that a message has begun', () => {
    const reader = new MessageReader('is refused', {
      onHead() {},
      onBody() {},
      onEnd() {},
    });
    reader.read(Buffer.from(sized.slice(0, -1)));
    equal(reader.isInside, true);
    reader.read(Buffer.from('o'));
    equal(reader.isInside, false);
  });

  test('takes a request without a length as one without a body', () => {
    let ended = 0;
    const reader = new MessageReader('is empty', {
      onHead() {},
      onBody() {},
      onEnd: () => (ended += 1),
    });
    reader.read(Buffer.from('GET / HTTP/1.1\r\nhost: x\r\n\r\n'));
    equal(ended, 1);
  });
});
