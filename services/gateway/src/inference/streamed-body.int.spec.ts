import { createServer } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { StreamedBody } from './streamed-body.ts';

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

const pieces = ['a', '', 'ü'.repeat(200), 'the end'];

/** All that a server says to these bytes until it has said `until`. */
async function answered(request: string, until: string): Promise<string> {
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const body = new StreamedBody(response);
    for (const piece of pieces) body.write(Buffer.from(piece));
    body.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  closing.push(() => {
    socket.destroy();
    server.close();
  });
  socket.write(request);
  let said = '';
  for await (const bytes of socket) {
    said += String(bytes);
    if (said.endsWith(until)) break;
  }
  return said;
}

describe('a body of unknown length', () => {
  const chunked = `1\r\na\r\n190\r\n${'ü'.repeat(200)}\r\n7\r\nthe end\r\n0\r\n\r\n`;

  test('goes in chunks, one for each piece that is not empty', async () => {
    const said = await answered('GET / HTTP/1.1\r\nhost: here\r\n\r\n', '0\r\n\r\n');

    expect(said).toContain('\r\nTransfer-Encoding: chunked\r\n');
    expect(said).toContain('\r\nConnection: keep-alive\r\n');
    expect(said.slice(said.indexOf('\r\n\r\n') + 4)).toBe(chunked);
  });

  test('is followed by the next one on the same connection', async () => {
    const request = 'GET / HTTP/1.1\r\nhost: here\r\n\r\n';
    const last = request.replace('\r\n\r\n', '\r\nconnection: close\r\n\r\n');
    const said = await answered(request + last, 'never');

    expect(said.split(chunked)).toHaveLength(3);
    expect(said.endsWith(chunked)).toBe(true);
  });

  test('ends with the connection for a client of HTTP/1.0', async () => {
    const said = await answered('GET / HTTP/1.0\r\nhost: here\r\n\r\n', 'the end');

    expect(said).not.toContain('chunked');
    expect(said.slice(said.indexOf('\r\n\r\n') + 4)).toBe(pieces.join(''));
  });
});
