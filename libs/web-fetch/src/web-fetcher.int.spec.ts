import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { deflateSync, gzipSync } from 'node:zlib';
import { pdfOfObjects } from '@sluice/document-text/testing';
import { createEgress, parseAllowList } from '@sluice/egress';
import { startNameServer } from '@sluice/egress/testing';
import { afterEach, describe, test } from 'vitest';
import {
  createWebFetcher,
  type FetchedPage,
  type FetchFailure,
  type PageRequest,
  type WebFetcherOptions,
} from './index.ts';

const stops: (() => Promise<unknown> | void)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0).toReversed()) await stop();
});

/** A site at `shop.example` whose pages the fetcher may read. */
async function shop(listener: RequestListener, options: Partial<WebFetcherOptions> = {}) {
  const server = createServer(listener);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const names = await startNameServer(() => ['127.0.0.1']);
  const egress = createEgress({
    allowList: parseAllowList(`127.0.0.1:${port}`),
    isHttpAllowed: true,
    nameServers: [names.address],
  });
  const fetcher = createWebFetcher({ egress, timeoutMs: 600_000, ...options });
  stops.push(
    () => server.closeAllConnections(),
    () => void server.close(),
    () => names.stop(),
    () => egress.stop(),
    () => fetcher.stop(),
  );
  const origin = `http://shop.example:${port}`;
  return {
    origin,
    read: (path: string, more: Partial<PageRequest> = {}) =>
      fetcher.fetch({ url: `${origin}${path}`, account: 'a', ...more }),
  };
}

const errorOf = (result: FetchedPage | FetchFailure) => ('error' in result ? result.error : '');

describe('a page', () => {
  test('is fetched, and its text is returned with the URL that answered', async () => {
    const { origin, read } = await shop((request, response) => {
      if (request.url === '/old') return void response.writeHead(301, { location: '/new' }).end();
      response.setHeader('content-type', 'text/html; charset=utf-8');
      response.setHeader('content-encoding', 'gzip');
      response.end(gzipSync('<html><title>Shop</title><body><p>All <b>here</b></p></body></html>'));
    });
    deepEqual(await read('/old'), {
      url: `${origin}/new`,
      title: 'Shop',
      content: 'All **here**',
      isCut: false,
      httpStatus: 200,
    });
    const cut = await read('/old', { tokensMax: 2 });
    deepEqual(cut, {
      url: `${origin}/new`,
      title: 'Shop',
      content: 'All **he',
      isCut: true,
      httpStatus: 200,
    });
  });

  test('is refused if its status, its kind or the rule of the caller says so', async () => {
    const { read } = await shop((request, response) => {
      if (request.url === '/lost') response.statusCode = 404;
      response.setHeader('content-type', 'image/png').end('PNG');
    });
    deepEqual(await read('/lost'), {
      error: 'The server answered with status 404',
      httpStatus: 404,
    });
    match(errorOf(await read('/image')), /is not HTML, PDF, an office document or another text/);
    match(errorOf(await read('/', { permits: () => false })), /shop\.example is not permitted/);
    match(errorOf(await read('/', { url: 'https://127.0.0.1/' })), /is not a public address/);
    match(errorOf(await read('/', { url: 'nonsense' })), /malformed/);
  });

  test('has an end if many are fetched at once', async () => {
    const waiting: (() => void)[] = [];
    const { read } = await shop((_request, response) => {
      waiting.push(() => response.setHeader('content-type', 'text/plain').end('text'));
      if (waiting.length === 16) for (const answer of waiting) answer();
    });
    const results = await Promise.all(Array.from({ length: 20 }, () => read('/')));
    const refused = results.filter((result) => errorOf(result).startsWith('Too many pages'));
    equal(refused.length, 4);
  });
});

describe('a hostile page', () => {
  const nested = '<div>'.repeat(1_900);
  /** A page of drawing operations that decodes to 500 times its length. */
  const drawing = deflateSync(Buffer.alloc(80_000_000, 'BT (x) Tj ET '));
  const bomb = pdfOfObjects([
    Buffer.from('<< /Type /Catalog /Pages 2 0 R >>'),
    Buffer.from('<< /Type /Pages /Kids [3 0 R] /Count 1 >>'),
    Buffer.from('<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Contents 4 0 R >>'),
    Buffer.concat([
      Buffer.from(`<< /Length ${drawing.length} /Filter /FlateDecode >>\nstream\n`),
      drawing,
      Buffer.from('\nendstream'),
    ]),
    Buffer.from('<< >>'),
  ]);

  test.each<[string, Buffer | string, string]>([
    ['a bomb in a PDF', bomb, 'application/pdf'],
    ['nested elements', nested, 'text/html'],
    ['many small tables', '<table><tr><td>'.repeat(900), 'text/html'],
  ])('gives an error, and the next page is read: %s', async (_, body, type) => {
    const { read } = await shop(
      (request, response) => {
        if (request.url === '/next')
          return void response.setHeader('content-type', 'text/plain').end('next');
        response.setHeader('content-type', type).end(body);
      },
      { extractMs: 1_000 },
    );
    ok(errorOf(await read('/')) !== '');
    const next = await read('/next');
    equal('content' in next && next.content, 'next');
  });
});
