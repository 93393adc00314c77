import { equal, rejects } from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import { onTestFinished, test } from 'vitest';
import { listenOnLoopback } from '../loopback.ts';
import { untilServed } from './until-served.ts';

/** A server, and the number of requests that it got. */
async function serve(server: Server) {
  let requests = 0;
  server.on('request', () => requests++);
  const listening = await listenOnLoopback(server);
  onTestFinished(() => listening.stop());
  return { ask: () => untilServed(() => fetch(listening.url)), requests: () => requests };
}

test('a connection that the server closes when it is used again is replaced, once', async () => {
  const used = new WeakSet<object>();
  const { ask, requests } = await serve(
    createServer(({ socket }, response) => {
      if (used.has(socket)) socket.destroy();
      else response.end('served');
      used.add(socket);
    }),
  );
  let asked = 0;
  // The client does not keep each connection.
  while (requests() === asked && asked < 100) {
    equal(await (await ask()).text(), 'served');
    asked++;
  }
  equal(requests(), asked + 1);
});

test('a server that breaks every request off is not asked a third time', async () => {
  const { ask, requests } = await serve(createServer(({ socket }) => socket.destroy()));
  await rejects(ask());
  equal(requests(), 2);
});
