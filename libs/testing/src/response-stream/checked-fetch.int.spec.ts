import { equal, rejects } from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { checkedFetch } from './checked-fetch.ts';
import { goodStreams } from '../stream-mutations/recorded.ts';

const [{ events }] = goodStreams('response');
const frames = events.map(
  (event) => `event: ${String(event['type'])}\ndata: ${JSON.stringify(event)}\n\n`,
);
const good = `${frames.join('')}data: [DONE]\n\n`;
const bad = good.replace('"sequence_number":3', '"sequence_number":4');

const server = createServer((request, response) => {
  const { searchParams } = new URL(request.url ?? '', 'http://server');
  response.setHeader('content-type', searchParams.get('type') ?? 'text/event-stream');
  response.setHeader('x-generation-id', searchParams.get('id') ?? 'gen-1');
  response.end(searchParams.has('good') ? good : bad);
});
let url = '';
beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
});
afterAll(async () => {
  server.close();
  await once(server, 'close');
});

const read = async (path: string) => await (await checkedFetch(`${url}${path}`)).text();

describe('a stream that is fetched', () => {
  test('is read as it is when it keeps the rules', async () => {
    equal(await read('/responses?good=1'), good);
  });

  test('fails its reader at the first rule that it breaks', async () => {
    await rejects(read('/responses'), { rule: 'sequence-number' });
  });

  test('is of the generation that its header names', async () => {
    await rejects(read('/responses?good=1&id=gen-2'), { rule: 'generation-id' });
  });

  test('is not looked at when it is none, or of something else', async () => {
    equal(await read('/responses?type=text/plain'), bad);
    equal(await read('/elsewhere'), bad);
  });
});
