import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { joinWrites } from './joined-writes.ts';

const open: (() => void)[] = [];
afterEach(() => {
  for (const close of open.splice(0)) close();
});

/** A socket whose writes are joined, and all that comes out at its other end once it is closed. */
async function aSocket(): Promise<{ socket: Socket; read: () => Promise<Buffer> }> {
  const { promise, resolve } = Promise.withResolvers<Buffer>();
  const server = createServer((peer) => {
    const chunks: Buffer[] = [];
    peer.on('data', (chunk: Buffer) => chunks.push(chunk));
    peer.on('end', () => resolve(Buffer.concat(chunks)));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  open.push(() => {
    socket.destroy();
    server.close();
  });
  await once(socket, 'connect');
  joinWrites(socket);
  return { socket, read: () => promise };
}

const allBytes = (length: number): Buffer =>
  Buffer.from(Uint8Array.from({ length }, (_, at) => at % 256));

describe('what is written together', () => {
  test.each([0, 1, 512, 16 * 1024, 16 * 1024 + 1, 300_000])(
    'arrives byte for byte: a head and %i bytes, twice',
    async (length) => {
      const { socket, read } = await aSocket();
      const body = allBytes(length);
      for (const head of ['POST / HTTP/1.1\r\n\r\n', 'caf\u00e9\r\n']) {
        socket.cork();
        socket.write(head, 'latin1');
        socket.write(body);
        socket.uncork();
      }
      socket.end();
      const expected = ['POST / HTTP/1.1\r\n\r\n', body, 'caf\u00e9\r\n', body];
      const bytes = expected.map((one) =>
        one === body ? body : Buffer.from(String(one), 'latin1'),
      );
      expect((await read()).equals(Buffer.concat(bytes))).toBe(true);
    },
  );

  test('arrives whatever it is: texts of other encodings, and more than two pieces', async () => {
    const { socket, read } = await aSocket();
    socket.cork();
    socket.write('ü', 'utf8');
    socket.write(Buffer.from([0xff]));
    socket.uncork();
    socket.cork();
    for (const piece of ['a', 'b', 'c']) socket.write(piece, 'latin1');
    socket.uncork();
    socket.end();
    expect(await read()).toEqual(Buffer.from([0xc3, 0xbc, 0xff, 0x61, 0x62, 0x63]));
  });
});
