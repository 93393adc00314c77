import { isStream } from '@sluice/inference-port';
import { equal, ok } from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { eventually } from '@sluice/patience';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { routingHarness, type RoutingHarness } from '../../testing/routing-harness.ts';

const deltas = 2_500;
const text = 'x'.repeat(8_000);
/** Bounds the bytes that wait for a reader in this process. */
const bufferedBytesMax = 256 * 1024;

let upstream: Server;
let routing: RoutingHarness;
/** The bytes that the upstream has sent so far. */
let written = 0;

beforeAll(async () => {
  upstream = createServer((request, response) => {
    request.resume();
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const piece = `data: ${JSON.stringify({ id: 'x', choices: [{ delta: { content: text } }] })}\n\n`;
    const fill = (): void => {
      while (written < deltas) {
        written += 1;
        if (!response.write(piece)) return void response.once('drain', fill);
      }
      const finish = { id: 'x', choices: [{ delta: {}, finish_reason: 'stop' }] };
      response.end(`data: ${JSON.stringify(finish)}\n\ndata: [DONE]\n\n`);
    };
    fill();
  }).listen(0, '127.0.0.1');
  await once(upstream, 'listening');
  const { port } = upstream.address() as AddressInfo;
  routing = await routingHarness({ catalogFile: () => catalogFile(port) });
});
afterAll(async () => {
  await routing.stop();
  upstream.closeAllConnections();
  upstream.close();
});

const catalogFile = (port: number) =>
  JSON.stringify({
    providers: [
      {
        slug: 'flood',
        name: 'Flood',
        dialect: 'openai-chat',
        base_url: `http://127.0.0.1:${port}/v1`,
      },
    ],
    models: [
      {
        id: 'flood/one',
        provider: 'flood',
        upstream_model: 'm',
        context_length: 100_000_000,
        max_output_tokens: 50_000_000,
        pricing: { prompt: '0', completion: '0' },
      },
    ],
  });

describe('a client that does not read', () => {
  test('pauses the upstream; little waits for it, and it gets everything when it reads again', async () => {
    const reply = await routing.call({ model: 'flood/one', input: 'x', stream: true });
    ok(isStream(reply.body));
    const reader = reply.body[Symbol.asyncIterator]();
    const first = await reader.next();
    let before = -1;
    await eventually(
      () => {
        const last = before;
        before = written;
        equal(written, last, 'the upstream still writes');
      },
      { everyMs: 200 },
    );
    ok(written < deltas, `all ${deltas} were taken although nobody reads`);

    const pieces = [Buffer.from(first.value ?? [])];
    for (let piece = await reader.next(); !piece.done; piece = await reader.next())
      pieces.push(Buffer.from(piece.value));
    const all = Buffer.concat(pieces).toString();
    equal(all.split('"delta":"').length - 1, deltas);
    equal(written, deltas);
    ok(all.endsWith('data: [DONE]\n\n'));
    // The last one says all of it again; what waited came in the one after the first.
    const waited = pieces[1]?.byteLength ?? 0;
    ok(waited > 0 && waited <= bufferedBytesMax, `${waited} bytes waited`);
  });
});
