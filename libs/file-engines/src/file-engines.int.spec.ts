import { deepEqual, equal, match, ok, throws } from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, test } from 'vitest';
import { createFileEngine, type FileEngineName } from './index.ts';

interface Fixture {
  readonly request?: object;
  readonly answer: object;
  readonly content: readonly object[];
  readonly pages?: number;
}

const names: readonly FileEngineName[] = ['mistral-ocr', 'cloudflare-ai'];
const fixtureOf = (name: FileEngineName) =>
  JSON.parse(readFileSync(new URL(`fixtures/${name}.json`, import.meta.url), 'utf8')) as Fixture;
const stops: (() => void)[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});

/** A server that plays an engine, and an engine that asks it. */
async function engineAt(name: FileEngineName, answer: { status?: number; body: string }) {
  const seen: { headers: IncomingHttpHeaders; url: string; body: Buffer }[] = [];
  const server = createServer((request, response) => {
    void Array.fromAsync<Buffer>(request).then((chunks) => {
      seen.push({ headers: request.headers, url: request.url ?? '', body: Buffer.concat(chunks) });
      response.writeHead(answer.status ?? 200, { location: 'http://127.0.0.1/' }).end(answer.body);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  stops.push(() => void server.close());
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return { seen, engine: createFileEngine({ name, baseUrl, key: { reveal: () => 'secret' } }) };
}

const { signal } = new AbortController();
const file = { source: Buffer.from('%PDF-1.7'), name: 'report.pdf' };

describe.each(names)('the engine %s', (name) => {
  const fixture = fixtureOf(name);

  test('reads a file as its API documents', async () => {
    const { engine, seen } = await engineAt(name, { body: JSON.stringify(fixture.answer) });
    for (const source of [file.source, file.source.toString('base64')]) {
      const outcome = await engine.read({ ...file, source }, { signal, requestId: 'gen-1/tool/1' });
      deepEqual(outcome, { isRead: true, content: fixture.content, pages: fixture.pages });
    }
    const [asked] = seen;
    equal(asked?.headers.authorization, 'Bearer secret');
    equal(asked.headers['x-client-request-id'], 'gen-1/tool/1');
    if (fixture.request) deepEqual(JSON.parse(asked.body.toString()), fixture.request);
    else
      match(asked.body.toString(), /name="files"; filename="report\.pdf"\r\n[^]*%PDF-1\.7\r\n--/);
    deepEqual(seen[0]?.body, seen[1]?.body);
  });

  test.each([
    [401, false],
    [429, false],
    [500, false],
    [302, false],
    [200, true],
  ])('has an outcome for status %i with a body of another kind', async (status, mayBeBilled) => {
    const { engine } = await engineAt(name, { status, body: 'Your key secret is wrong' });
    const outcome = await engine.read(file, { signal });
    ok(!outcome.isRead);
    equal(outcome.mayBeBilled, mayBeBilled);
    ok(!outcome.message.includes('secret'));
  });

  test('has an outcome if it cannot be reached', async () => {
    const key = { reveal: () => 'secret' };
    const engine = createFileEngine({ name, baseUrl: 'http://127.0.0.1:1', key });
    const outcome = await engine.read(file, { signal });
    deepEqual(outcome.isRead || [outcome.message, outcome.mayBeBilled], [
      `${name} cannot be reached`,
      true,
    ]);
  });

  test('takes no key that cannot be a header', () => {
    throws(() => createFileEngine({ name, baseUrl: 'http://a', key: { reveal: () => 'a\nb' } }));
  });
});

test('an answer has at most 8 pictures, all of them pictures', async () => {
  const image = { image_base64: 'data:image/png;base64,AAAA' };
  const page = {
    markdown: '',
    images: [{ image_base64: 'https://a' }, ...Array.from({ length: 12 }, () => image)],
  };
  const { engine } = await engineAt('mistral-ocr', { body: JSON.stringify({ pages: [page] }) });
  const outcome = await engine.read({ ...file, name: 'a"\u0000b' }, { signal });
  ok(outcome.isRead);
  equal(outcome.content.length, 8);
  equal(outcome.pages, 1);
});
