import { deepEqual, equal, ok } from 'node:assert/strict';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { setImmediate as lap } from 'node:timers/promises';
import fc from 'fast-check';
import { afterAll, describe, test } from 'vitest';
import { RefusedConnections } from './refused-connections.ts';

const isCrowded = { now: true };
/** Until then nothing is served. */
const held: { now: PromiseWithResolvers<void> | undefined } = { now: undefined };
let answeredBarely = 0;
const refused = new RefusedConnections({
  refuses: (name) => (isCrowded.now && name === 'anybody' ? 'full' : undefined),
  refuse: (socket) => {
    answeredBarely += 1;
    socket.write('HTTP/1.1 503 Service Unavailable\r\ncontent-length: 0\r\n\r\n');
  },
  requestsPerConnectionMax: 50,
});
const connections: Socket[] = [];
const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
  if (request.url !== '/crowded' || !isCrowded.now) return void serve(request, response);
  response.writeHead(503, { 'content-length': 0 }).end();
  refused.note(request, response, 'anybody');
}).on('connection', (socket) => connections.push(socket));
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const { port } = server.address() as AddressInfo;
afterAll(() => server.close().closeAllConnections());

/** Says what came, later than it came. */
async function serve(request: IncomingMessage, response: ServerResponse) {
  const body = await text(request);
  await lap();
  await held.now?.promise;
  response.end(`${request.url} ${body.length}`);
}

/** A client on one connection, whose writes come to the server as they are: each is read before the next. */
async function aClient() {
  const before = connections.length;
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  let received = '';
  socket.setEncoding('latin1').on('data', (piece: string) => (received += piece));
  while (connections.length === before) await lap();
  const other = connections.at(-1);
  let sent = 0;
  const isRead = () => socket.destroyed || !other || other.bytesRead >= sent;
  return {
    async write(bytes: string) {
      socket.write(bytes, 'latin1');
      sent += bytes.length;
      while (!isRead()) await lap();
    },
    /** Statuses, and what served requests were, in the order in which they came. */
    async answers(count: number): Promise<readonly string[]> {
      const seen = () => received.match(/HTTP\/1\.1 \d+|\/\w+ \d+$|\/\w+ \d+(?=HTTP)/g) ?? [];
      const endMs = performance.now() + 2_000;
      const statuses = () => seen().filter((one) => one.startsWith('HTTP')).length;
      while (statuses() < count && performance.now() < endMs) await lap();
      for (let more = 0; more < 3; more += 1) await lap();
      socket.destroy();
      return seen();
    },
  };
}

const post = (path: string, body: string, ...more: readonly string[]) =>
  [`POST ${path} HTTP/1.1`, 'host: a', `content-length: ${body.length}`, ...more, '', body].join(
    '\r\n',
  );
const crowded = post('/crowded', '12345678');
const chunked =
  'POST /crowded HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n';
const sorts = {
  again: [crowded, 'HTTP/1.1 503'],
  'another body': [post('/crowded', '87654321'), 'HTTP/1.1 503'],
  'another length': [post('/crowded', '1234567'), 'HTTP/1.1 503'],
  'no body': [post('/crowded', ''), 'HTTP/1.1 503'],
  'another header': [post('/crowded', '12345678', 'x: y'), 'HTTP/1.1 503'],
  'a chunked body': [chunked, 'HTTP/1.1 503'],
  'a request in a body': [post('/crowded', crowded), 'HTTP/1.1 503'],
  'a request in a served body': [
    post('/served', crowded),
    'HTTP/1.1 200',
    `/served ${crowded.length}`,
  ],
  'an empty line before it': [`\r\n${crowded}`, 'HTTP/1.1 503'],
  'what is not expected': [post('/crowded', '', 'expect: nothing'), 'HTTP/1.1 417'],
  'a request without a body': [
    'GET /other HTTP/1.1\r\nhost: a\r\n\r\n',
    'HTTP/1.1 200',
    '/other 0',
  ],
} as const;
type Sort = keyof typeof sorts;

async function answersTo(list: readonly Sort[], cuts: readonly number[]) {
  const client = await aClient();
  const bytes = list.map((sort) => sorts[sort][0]).join('');
  let from = 0;
  for (const cut of [...new Set(cuts)].toSorted((a, b) => a - b)) {
    if (cut <= from || cut >= bytes.length) continue;
    await client.write(bytes.slice(from, cut));
    from = cut;
  }
  await client.write(bytes.slice(from));
  return await client.answers(list.length);
}
const expected = (list: readonly Sort[]) => list.flatMap((sort) => sorts[sort].slice(1));
/** Where each request ends. */
function ends(list: readonly Sort[]): readonly number[] {
  let end = 0;
  return list.map((sort) => (end += sorts[sort][0].length));
}

describe('on a connection that has been refused', () => {
  test('the same request is refused without the parser from the third time on', async () => {
    const list = Array.from({ length: 10 }, (_, index): Sort =>
      index % 2 ? 'another body' : 'again',
    );
    const before = answeredBarely;
    deepEqual(await answersTo(list, ends(list)), expected(list));
    equal(answeredBarely - before, 7);
  });

  test('it is served when there is room again, and refused when there is none', async () => {
    const client = await aClient();
    const before = answeredBarely;
    for (let count = 0; count < 5; count += 1) await client.write(crowded);
    isCrowded.now = false;
    await client.write(crowded);
    await client.write(crowded);
    isCrowded.now = true;
    const whole = await client.answers(7);
    const served = ['HTTP/1.1 200', '/crowded 8'];
    deepEqual(whole, [...Array<string>(5).fill('HTTP/1.1 503'), ...served, ...served]);
    equal(answeredBarely - before, 2);
  });

  test('no more are answered so than a connection may have', async () => {
    const list = Array.from({ length: 70 }, (): Sort => 'again');
    const before = answeredBarely;
    deepEqual(await answersTo(list, ends(list)), expected(list));
    equal(answeredBarely - before, 50);
  });

  test('a request that is not kept is answered, and the connection ends', async () => {
    const client = await aClient();
    const last = post('/crowded', '', 'connection: close');
    for (const bytes of [crowded, crowded, last, crowded]) await client.write(bytes);
    deepEqual(await client.answers(3), Array<string>(3).fill('HTTP/1.1 503'));
  });

  test('it waits for the answer that is under way', async () => {
    const client = await aClient();
    for (let count = 0; count < 3; count += 1) await client.write(crowded);
    isCrowded.now = false;
    const under = (held.now = Promise.withResolvers<void>());
    await client.write(crowded);
    isCrowded.now = true;
    await client.write(crowded);
    under.resolve();
    const before = Array<string>(3).fill('HTTP/1.1 503');
    deepEqual(await client.answers(5), [...before, 'HTTP/1.1 200', '/crowded 8', 'HTTP/1.1 503']);
  });

  const refusal = 'HTTP/1.1 503';
  const twice = `${crowded}${crowded}`;
  const end = '-y: z\r\ncontent-length: 0\r\n\r\n';
  test.each([
    ['two in one read, three times', [twice, twice, twice], Array<string>(6).fill(refusal)],
    [
      'the end of a request, and that again',
      [`${crowded}POST /crowded HTTP/1.1\r\nhost: a\r\nx`, end, end],
      [refusal, refusal, 'HTTP/1.1 400'],
    ],
    [
      'the end of a body and a request, and that again',
      [post('/crowded', 'xy').slice(0, -2), `xy${crowded}`, `xy${crowded}`],
      [refusal, refusal, 'HTTP/1.1 400'],
    ],
    [
      'the same as the end of another one',
      [crowded, crowded, 'POST /served HTTP/1.1\r\nx: ', crowded],
      [refusal, refusal, 'HTTP/1.1 200', '/served 8'],
    ],
  ])('%s, is what node:http says it is', async (_what, writes, answers) => {
    const client = await aClient();
    for (const bytes of [crowded, ...writes]) await client.write(bytes);
    const statuses = answers.filter((one) => one.startsWith('HTTP'));
    deepEqual(await client.answers(1 + statuses.length), [refusal, ...answers]);
  });

  test('whatever is sent, cut wherever, has the answers that node:http gives', async () => {
    const before = answeredBarely;
    const learned: readonly Sort[] = ['again', 'again', 'again'];
    const sort = fc.constantFrom(
      ...(Object.keys(sorts) as Sort[]),
      ...Array<Sort>(8).fill('again'),
    );
    const rest = fc.array(sort, { minLength: 1, maxLength: 12 });
    const cuts = fc.array(fc.integer({ min: 250, max: 1_500 }), { maxLength: 4 });
    const endsKept = fc.constantFrom(0, 0.5, 1, 1);
    const property = fc.asyncProperty(rest, cuts, endsKept, async (more, somewhere, share) => {
      const whole = [...learned, ...more];
      const atEnds = ends(whole).filter((_, index) => index < 3 + more.length * share);
      deepEqual(await answersTo(whole, [...somewhere, ...atEnds]), expected(whole));
    });
    await fc.assert(property, { numRuns: 300 });
    ok(answeredBarely - before > 200);
  });
});
