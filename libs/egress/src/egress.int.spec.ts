import { deepEqual, equal, ok } from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterEach, describe, test } from 'vitest';
import { createEgress, type EgressFailure, type EgressReply, parseAllowList } from './index.ts';
import type { EgressRequest } from './request.ts';
import { startNameServer } from './testing/index.ts';

const stops: (() => Promise<unknown> | void)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0).toReversed()) await stop();
});

interface Site {
  readonly port: number;
  /** The paths that were asked for. */
  readonly asked: string[];
}

/** A server on all of 127.0.0.0/8. */
async function site(listener: RequestListener): Promise<Site> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    listener(request, response);
  });
  server.listen(0, '0.0.0.0');
  await once(server, 'listening');
  stops.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port, asked };
}

/** A server that speaks as `serve` writes. */
async function rawSite(serve: (socket: Socket) => void): Promise<number> {
  const sockets = new Set<Socket>();
  const server = createTcpServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('data', () => serve(socket));
  });
  server.listen(0, '0.0.0.0');
  await once(server, 'listening');
  stops.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

async function egressTo(
  port: number,
  resolve: Parameters<typeof startNameServer>[0] = () => ['127.0.0.2'],
) {
  const names = await startNameServer(resolve);
  const egress = createEgress({
    allowList: parseAllowList(`127.0.0.2:${port}`),
    isHttpAllowed: true,
    nameServers: [names.address],
  });
  stops.push(() => names.stop());
  stops.push(() => egress.stop());
  const send = (url: string, more: Partial<EgressRequest> = {}) =>
    egress.send({ url, bytesMax: 100_000, timeoutMs: 600_000, ...more });
  return { egress, names, send };
}

const reasonOf = (reply: EgressReply | EgressFailure) =>
  'reason' in reply ? reply.reason : `${reply.status} ${reply.body.toString()}`;

describe('a call to a name', () => {
  test('reaches the address that the name has', async () => {
    const { port } = await site((request, response) => response.end(request.headers.host));
    const { send, names } = await egressTo(port);
    equal(reasonOf(await send(`http://shop.example:${port}/`)), `200 shop.example:${port}`);
    deepEqual(names.asked.toSorted(), ['shop.example A', 'shop.example AAAA']);
  });

  test.each([
    ['loopback', ['127.0.0.1']],
    ['the metadata address', ['169.254.169.254']],
    ['a private address beside one that is allowed', ['127.0.0.2', '10.0.0.1']],
    ['loopback in IPv6', ['::1']],
    ['IPv4 within IPv6', ['::ffff:127.0.0.1']],
    ['loopback behind NAT64', ['64:ff9b::7f00:1']],
  ])('is refused if it has %s', async (_, addresses) => {
    const { port, asked } = await site((_request, response) => response.end());
    const { send } = await egressTo(port, () => addresses);
    equal(reasonOf(await send(`http://rebind.example:${port}/`)), 'forbidden_address');
    deepEqual(asked, []);
  });

  test('is checked at each dial, so a name that changes gains nothing', async () => {
    const { port, asked } = await site((_request, response) => {
      response.setHeader('connection', 'close');
      response.end('here');
    });
    let questions = 0;
    const { send } = await egressTo(port, (_name, type) => {
      if (type === 'AAAA') return [];
      questions += 1;
      return questions === 1 ? ['127.0.0.2'] : ['127.0.0.1'];
    });
    equal(reasonOf(await send(`http://rebind.example:${port}/`)), '200 here');
    for (let count = 0; count < 5; count += 1)
      equal(reasonOf(await send(`http://rebind.example:${port}/`)), 'forbidden_address');
    equal(asked.length, 1);
  });

  test('fails if the name is not known, or its name server is silent', async () => {
    const { send } = await egressTo(1, (name) => (name === 'silent.example' ? undefined : []));
    equal(reasonOf(await send('https://nowhere.example/')), 'unknown_host');
    equal(reasonOf(await send('https://silent.example/', { timeoutMs: 50 })), 'late');
    // The hosts file of this machine is not for strangers.
    equal(reasonOf(await send('https://localhost/')), 'unknown_host');
  });
});

describe('a simulated web', () => {
  test('stands at one server, and opens nothing else of its machine', async () => {
    const { port } = await site((request, response) => {
      if (request.url === '/inward')
        response.writeHead(302, { location: `http://127.0.0.1:${port}/` });
      response.end(request.headers.host);
    });
    const egress = createEgress({
      isHttpAllowed: true,
      reroute: { hostEnd: '.corpus.example', host: 'localhost', port },
    });
    stops.push(() => egress.stop());
    const send = (url: string) =>
      egress.send({ url, redirectsMax: 1, bytesMax: 1_000, timeoutMs: 600_000 });
    equal(reasonOf(await send('http://space.corpus.example/a')), '200 space.corpus.example');
    equal(reasonOf(await send('http://space.corpus.example/inward')), 'forbidden_address');
    equal(reasonOf(await send(`http://127.0.0.1:${port}/`)), 'forbidden_address');
  });
});

describe('a redirect', () => {
  const redirecting = (location: (path: string) => string) =>
    site((request, response) => {
      response.writeHead(302, { location: location(request.url ?? '') });
      response.end('moved');
    });

  test('is not followed unless it is asked for', async () => {
    const { port } = await redirecting(() => '/next');
    const { send } = await egressTo(port);
    equal(reasonOf(await send(`http://a.example:${port}/`)), 'redirects');
  });

  test.each([
    (port: number) => `http://127.0.0.1:${port}/`,
    () => 'http://169.254.169.254/latest/meta-data/',
    () => 'http://0x7f.1/',
    () => '//[::1]/',
    (port: number) => `http://inward.example:${port}/`,
  ])('is checked like the first URL', async (location) => {
    const { port, asked } = await redirecting(() => location(port));
    const { send } = await egressTo(port, (name) =>
      name === 'inward.example' ? ['127.0.0.1'] : ['127.0.0.2'],
    );
    const reply = await send(`http://a.example:${port}/`, { redirectsMax: 5 });
    equal(reasonOf(reply), 'forbidden_address');
    equal(asked.length, 1);
  });

  test('ends after as many as are allowed', async () => {
    const { port, asked } = await redirecting((path) => `${path}x`);
    const { send } = await egressTo(port);
    equal(reasonOf(await send(`http://a.example:${port}/`, { redirectsMax: 5 })), 'redirects');
    equal(asked.length, 6);
    const file = await redirecting(() => 'file:///etc/passwd');
    const { send: sendTo } = await egressTo(file.port);
    const reply = await sendTo(`http://a.example:${file.port}/`, { redirectsMax: 5 });
    equal(reasonOf(reply), 'invalid_url');
  });

  test('obeys the rule of the caller, and brings credentials to no other origin', async () => {
    const authorizations: (string | undefined)[] = [];
    const { port } = await site((request, response) => {
      authorizations.push(request.headers.authorization);
      if (request.url !== '/end')
        response.writeHead(307, { location: `http://b.example:${port}/end` });
      response.end('end');
    });
    const { send } = await egressTo(port);
    const headers = { Authorization: 'Bearer canary' };
    const url = `http://a.example:${port}/`;
    equal(reasonOf(await send(url, { redirectsMax: 1, headers })), '200 end');
    deepEqual(authorizations, ['Bearer canary', undefined]);
    const permits = ({ hostname }: URL) => hostname === 'a.example';
    equal(reasonOf(await send(url, { redirectsMax: 1, permits })), 'not_permitted');
  });
});

describe('a reply', () => {
  test('is decoded', async () => {
    const { port } = await site((request, response) => {
      const encoding = request.url?.slice(1) ?? '';
      response.setHeader('content-encoding', encoding);
      response.end(encoding === 'br' ? brotliCompressSync('text') : gzipSync('text'));
    });
    const { send } = await egressTo(port);
    for (const encoding of ['gzip', 'br', 'x-gzip'])
      equal(reasonOf(await send(`http://a.example:${port}/${encoding}`)), '200 text');
    for (const encoding of ['gzip,%20gzip', 'compress', 'deflate'])
      equal(reasonOf(await send(`http://a.example:${port}/${encoding}`)), 'malformed');
  });

  const bomb = gzipSync(Buffer.alloc(50_000_000));
  /** Blocks of gzip that decode to nothing. */
  const nothing = Buffer.concat([
    Buffer.from('1f8b0800000000000003', 'hex'),
    Buffer.from('000000ffff'.repeat(40_000), 'hex'),
  ]);
  test.each([
    ['a bomb of gzip', bomb, 'gzip'],
    ['a bomb of brotli', brotliCompressSync(Buffer.alloc(50_000_000)), 'br'],
    ['a body of gzip that decodes to nothing', nothing, 'gzip'],
    ['a large body', Buffer.alloc(200_000), 'identity'],
  ])('is too large: %s', async (_, body, encoding) => {
    const { port } = await site((_request, response) => {
      response.setHeader('content-encoding', encoding);
      response.end(body);
    });
    const { send } = await egressTo(port);
    equal(reasonOf(await send(`http://a.example:${port}/`)), 'too_large');
  });

  test('ends at its bound if its body is endless', async () => {
    const { port } = await site((_request, response) => {
      const more = () => {
        while (response.write(Buffer.alloc(16_384)));
      };
      response.on('drain', more);
      more();
    });
    const { send } = await egressTo(port);
    equal(reasonOf(await send(`http://a.example:${port}/`)), 'too_large');
  });

  test('is late if it drips', async () => {
    const port = await rawSite((socket) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\n');
      const dripping = setInterval(() => socket.write('x'), 5);
      socket.on('close', () => clearInterval(dripping));
    });
    const { send } = await egressTo(port);
    equal(reasonOf(await send(`http://127.0.0.2:${port}/`, { timeoutMs: 100 })), 'late');
  });

  test.each([
    ['endless headers', (socket: Socket) => flood(socket, 'x-header: value\r\n'), 'too_large'],
    ['one endless header', (socket: Socket) => flood(socket, 'v'.repeat(1_000)), 'too_large'],
    ['no HTTP', (socket: Socket) => socket.end('SSH-2.0-OpenSSH\r\n'), 'malformed'],
    ['an end before the headers', (socket: Socket) => socket.end(), 'unreachable'],
  ])('is a failure: %s', async (_, serve, reason) => {
    const port = await rawSite((socket) => {
      socket.write(reason === 'too_large' ? 'HTTP/1.1 200 OK\r\nx: ' : '');
      serve(socket);
    });
    const names = await startNameServer(() => []);
    const egress = createEgress({ allowList: parseAllowList(`127.0.0.1:${port}`) });
    stops.push(() => names.stop());
    stops.push(() => egress.stop());
    const reply = await egress.send({
      url: `http://127.0.0.1:${port}/`,
      bytesMax: 1_000,
      timeoutMs: 600_000,
    });
    equal(reasonOf(reply), reason);
  });

  test('is canceled with its caller', async () => {
    const leaving = new AbortController();
    const { port } = await site(() => leaving.abort());
    const { send } = await egressTo(port);
    const reply = await send(`http://a.example:${port}/`, { signal: leaving.signal });
    equal(reasonOf(reply), 'canceled');
  });
});

function flood(socket: Socket, text: string): void {
  const more = () => {
    while (!socket.destroyed && socket.write(text));
  };
  socket.on('drain', more);
  more();
}

describe('a fetch for the client of a protocol', () => {
  test('streams, is bounded, follows no redirect and dials no closed address', async () => {
    const { port } = await site((request, response) => {
      if (request.url === '/moved') response.writeHead(302, { location: '/' });
      if (request.url === '/large') response.write(Buffer.alloc(2_000));
      response.end('event');
    });
    const { egress } = await egressTo(port);
    const fetch = egress.fetch({ bytesMax: 1_000 });
    const reasonFrom = (error: unknown) => (error as EgressFailure).reason;
    equal(await (await fetch(`http://a.example:${port}/`)).text(), 'event');
    equal(await fetch(`http://a.example:${port}/moved`).catch(reasonFrom), 'redirects');
    equal(await fetch(`http://127.0.0.1:${port}/`).catch(reasonFrom), 'forbidden_address');
    equal(await fetch('http://10.0.0.1/').catch(reasonFrom), 'forbidden_address');
    const large = await fetch(`http://a.example:${port}/large`);
    equal(await large.text().catch(reasonFrom), 'too_large');
    ok(large.ok);
  });
});
