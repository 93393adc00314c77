import { deepEqual, equal, ok } from 'node:assert/strict';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, test } from 'vitest';
import {
  dripping,
  forever,
  head,
  jsonHead,
  streamHead,
  type Scenario,
} from '../../testing/hostile-server.ts';
import {
  dialects,
  hostileWorld,
  patient,
  sends,
  type HostileWorld,
} from '../../testing/hostile-world.ts';
import { errorOf, responseOf } from '../../testing/routing-harness.ts';

const mebibyte = 1024 * 1024;
const garbage = Buffer.from(Array.from({ length: 4_096 }, (_, index) => (index * 7_919) % 256));
const deep = `{"id":"x","choices":[{"message":{"content":${'['.repeat(50_000)}${']'.repeat(50_000)}}}]}`;

let world: HostileWorld;
/** For what is an error because time is over; nothing else must be, on a slow machine. */
let hasty: HostileWorld;
beforeAll(async () => {
  world = await hostileWorld(patient);
  hasty = await hostileWorld();
});
afterAll(async () => {
  await world.stop();
  await hasty.stop();
});

describe('before the first output', () => {
  test.each<[string, Scenario, number, string]>([
    ['closes the connection', (socket) => void socket.destroy(), 502, 'provider_unavailable'],
    ['half-closes it', (socket) => void socket.end(), 502, 'provider_unavailable'],
    ['speaks no HTTP', sends(garbage), 502, 'provider_unavailable'],
    ['speaks another HTTP', sends('HTTP/0.9 200\r\n\r\n'), 502, 'provider_unavailable'],
    ['says nothing', () => {}, 524, 'timeout'],
    ['says nothing after its headers', (socket) => void socket.write(streamHead), 524, 'timeout'],
    [
      'sends its headers letter by letter',
      (socket) => dripping(socket, 'H', 20),
      502,
      'provider_unavailable',
    ],
    [
      'sends signs of life and nothing else',
      (socket) => (socket.write(streamHead), dripping(socket, ': alive\n\n', 10)),
      524,
      'timeout',
    ],
    [
      'sends events that say nothing',
      (socket) => (socket.write(streamHead), dripping(socket, 'data: {"choices":[]}\n\n', 10)),
      524,
      'timeout',
    ],
    [
      'sends an event letter by letter',
      (socket) => (socket.write(`${streamHead}data: `), dripping(socket, 'x', 10)),
      524,
      'timeout',
    ],
    ['sends garbage for a stream', sends(streamHead, garbage), 502, 'provider_unavailable'],
    [
      'sends a page for a stream',
      sends(head(200, { 'content-type': 'text/html' }), '<html>no</html>'),
      502,
      'provider_unavailable',
    ],
    ['sends a body that is nested 50,000 deep', sends(jsonHead, deep), 502, 'provider_unavailable'],
    [
      'sends an event that is nested so',
      sends(streamHead, `data: ${deep}\n\n`),
      502,
      'provider_unavailable',
    ],
    [
      'sends a chunk of no size',
      sends(`HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n`),
      502,
      'provider_unavailable',
    ],
    [
      'sends less than it says',
      sends(head(200, { 'content-type': 'application/json', 'content-length': '1000' }), '{"id"'),
      502,
      'provider_unavailable',
    ],
    [
      'says it has no content',
      sends('HTTP/1.1 204 No Content\r\n\r\n'),
      502,
      'provider_unavailable',
    ],
    [
      'sends what is squeezed, though asked for it plain',
      sends(
        head(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' }),
        gzipSync(Buffer.alloc(50 * mebibyte)),
      ),
      502,
      'provider_unavailable',
    ],
    [
      'refuses in what is squeezed: the status says enough',
      sends(head(429, { 'content-encoding': 'gzip', 'retry-after': '7' }), gzipSync('{}')),
      429,
      'rate_limit_exceeded',
    ],
    ['fails and never says why', (socket) => void socket.write(head(503)), 524, 'timeout'],
  ])('an upstream that %s is an error, and costs nothing', async (_, scenario, status, type) => {
    const asked = type === 'timeout' ? hasty : world;
    const { hostile, routing } = asked;
    const takenBefore = hostile.bytesTaken;
    const reply = await asked.ask(scenario);
    const seen = await errorOf(reply);
    deepEqual([reply.status, seen.metadata['error_type']], [status, type]);
    ok(!/\.ts:|127\.0\.0\.1/.test(JSON.stringify(seen)));
    const charged = routing.ledger.facts.filter(
      ({ costNanoUsd, suspendedNanoUsd }) => costNanoUsd + suspendedNanoUsd > 0n,
    );
    deepEqual(charged, []);
    ok(hostile.bytesTaken - takenBefore < 80 * mebibyte);
  });

  test.each<[string, Scenario]>([
    [
      'sends headers without end',
      (socket) =>
        forever(socket.write('HTTP/1.1 200 OK\r\n') ? socket : socket, 'a: b\r\n'.repeat(1_000)),
    ],
    [
      'sends one endless header',
      (socket) =>
        forever(socket.write('HTTP/1.1 200 OK\r\na: ') ? socket : socket, 'x'.repeat(65_536)),
    ],
    ['goes on with 100 Continue', (socket) => forever(socket, 'HTTP/1.1 100 Continue\r\n\r\n')],
    [
      'sends an event of more than 16 MiB',
      (socket) => (socket.write(`${streamHead}data: `), forever(socket, 'x'.repeat(65_536))),
    ],
    [
      'sends comments without end',
      (socket) => (socket.write(streamHead), forever(socket, `:${'x'.repeat(65_536)}\n`)),
    ],
    [
      'fails with a body without end',
      (socket) => (socket.write(head(500)), forever(socket, 'x'.repeat(65_536))),
    ],
  ])('an upstream that %s is an error at the first bound that it meets', async (_, scenario) => {
    const takenBefore = hasty.hostile.bytesTaken;
    const reply = await hasty.ask(scenario);
    ok(reply.status === 502 || reply.status === 524, String(reply.status));
    ok(hasty.hostile.bytesTaken - takenBefore < 80 * mebibyte);
  });

  test('a body of more than 32 MiB is cut off there', async () => {
    const scenario: Scenario = (socket) => {
      socket.write(`${jsonHead}"`);
      forever(socket, 'x'.repeat(65_536));
    };
    const reply = await world.ask(scenario, { stream: false });
    ok(reply.status === 502 || reply.status === 524, String(reply.status));
  });

  test('a redirect is not followed', async () => {
    const before = world.hostile.requests;
    const reply = await world.ask(sends(head(307, { location: '/v1/elsewhere' })));
    equal(reply.status, 502);
    equal(world.hostile.requests, before + 1);
  });

  test.each(dialects.flatMap((dialect) => [true, false].map((stream) => ({ dialect, stream }))))(
    'garbage is an error in each dialect: %o',
    async (how) => {
      for (const bytes of [
        garbage,
        Buffer.from('null'),
        Buffer.from('[1,2]'),
        Buffer.from('{"error":'),
        Buffer.from(''),
      ])
        equal((await world.ask(sends(how.stream ? streamHead : jsonHead, bytes), how)).status, 502);
    },
  );
});

describe('what one model does not take', () => {
  const refusal = JSON.stringify({ error: { code: 'content_filter', message: 'No.' } });
  const answer = JSON.stringify({
    id: 'm',
    content: [{ type: 'text', text: 'Yes.' }],
    stop_reason: 'end_turn',
    usage: { input_tokens: 1, output_tokens: 1 },
  });
  const body = { input: 'hi', max_output_tokens: 50 };
  const filtered = sends(head(400, { 'content-type': 'application/json' }), refusal);

  test('is asked of the next one that the client names', async () => {
    const { hostile, routing } = world;
    hostile.scenario = (socket) => {
      filtered(socket);
      hostile.scenario = sends(jsonHead, answer);
    };
    const models = ['hostile/openai-chat', 'hostile/anthropic-messages'];
    const response = await responseOf(await routing.call({ ...body, models }));
    deepEqual([response.status, response.output_text], ['completed', 'Yes.']);
  });

  test('is an error of its own kind where there is no other', async () => {
    const reply = await world.ask(filtered);
    const error = await errorOf(reply);
    deepEqual(
      [reply.status, error.metadata['error_type'], error.metadata['provider_code'], error.message],
      [400, 'content_policy_violation', 'content_filter', 'No.'],
    );
  });
});
