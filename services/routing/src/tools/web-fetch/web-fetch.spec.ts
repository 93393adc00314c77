import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { serverToolProblems } from '@sluice/client-schemas';
import type { FetchedPage, FetchFailure, PageRequest } from '@sluice/web-fetch';
import { describe, test } from 'vitest';
import type { ToolContext } from '../tool.ts';
import { webFetchTool } from './index.ts';

const catalog = { toolPrices: { find: () => undefined } };
const clock = { now: () => new Date('2026-11-26T12:00:00Z') };

const page: FetchedPage = {
  url: 'https://shop.example/new',
  title: 'Shop',
  content: 'All here',
  isCut: false,
  httpStatus: 200,
};

/** Runs a call, and returns its result and the requests of the fetcher. */
async function run(
  settings: object,
  more: { uses?: number; answer?: FetchedPage | FetchFailure } = {},
) {
  const asked: PageRequest[] = [];
  const tool = webFetchTool({
    clock,
    catalog,
    webFetcher: {
      fetch: async (request) => {
        asked.push(request);
        return more.answer ?? page;
      },
    },
  });
  const context = {
    settings,
    engine: { name: 'service', isAnother: false },
    uses: more.uses ?? 0,
    principal: { accountId: 'acc' },
    signal: new AbortController().signal,
  } as unknown as ToolContext;
  const result = await tool.run({ url: 'https://shop.example/old' }, context);
  return { asked, result, read: JSON.parse(result.output as string) as Record<string, unknown> };
}

describe('service:web_fetch', () => {
  test('returns a page as the contract has it', async () => {
    const { asked, result, read } = await run({ max_content_tokens: 100 });
    deepEqual(read, {
      url: 'https://shop.example/new',
      title: 'Shop',
      content: 'All here',
      status: 'completed',
      retrieved_at: '2026-11-26T12:00:00.000Z',
    });
    const { url, title, content, httpStatus } = page;
    deepEqual(result.item, { url, title, content, httpStatus });
    deepEqual([asked[0]?.account, asked[0]?.tokensMax], ['acc', 100]);
  });

  test('says that a content was cut', async () => {
    const { read } = await run({}, { answer: { ...page, isCut: true } });
    match(String(read['content']), /\[The rest was cut\.\]$/);
  });

  test('gives the model an error if the page fails', async () => {
    const answer = { error: 'The server answered with status 404', httpStatus: 404 };
    const { result, read } = await run({}, { answer });
    const url = 'https://shop.example/old';
    deepEqual(read, { url, status: 'failed', error: answer.error });
    deepEqual(result.item, { url, ...answer });
    equal(result.isError, true);
  });

  test('fetches no more pages than the request or the contract allows', async () => {
    const ofRequest = await run({ max_uses: 2 }, { uses: 2 });
    deepEqual([ofRequest.asked.length, ofRequest.result.isError], [0, true]);
    match(String(ofRequest.read['error']), /No more than 2 pages/);
    equal((await run({ max_uses: 2 }, { uses: 1 })).asked.length, 1);
    equal((await run({}, { uses: 50 })).asked.length, 0);
    equal((await run({ max_uses: 1_000 }, { uses: 50 })).asked.length, 0);
  });

  test('keeps to the lists of domains, also where a redirect leads', async () => {
    const settings = { allowed_domains: ['shop.example'], blocked_domains: ['old.shop.example'] };
    const { permits } = (await run(settings)).asked[0] ?? {};
    const isPermitted = (host: string) => permits?.(new URL(`https://${host}/`));
    deepEqual(
      ['shop.example', 'a.shop.example', 'old.shop.example', 'other.example'].map(isPermitted),
      [true, true, false, false],
    );
    const open = (await run({ blocked_domains: ['shop.example'] })).asked[0];
    equal(open?.permits?.(new URL('https://other.example/')), true);
    equal(open?.permits?.(new URL('https://a.shop.example/')), false);
    const empty = (await run({ allowed_domains: [] })).asked[0];
    equal(empty?.permits?.(new URL('https://other.example/')), true);
  });

  test('reads an item that a client sends again', () => {
    const tool = webFetchTool({ clock, catalog });
    const shown = { settings: {}, deferred: [] };
    deepEqual(tool.replay({ url: 'https://a.example/', title: 'A', content: 'text' }, shown), {
      arguments: '{"url":"https://a.example/"}',
      output: '{"url":"https://a.example/","title":"A","content":"text","status":"completed"}',
    });
    deepEqual(
      tool.replay({ url: 'https://a.example/', error: 'late' }, shown)?.output,
      '{"url":"https://a.example/","status":"failed","error":"late"}',
    );
    equal(tool.replay({ title: 'A' }, shown), undefined);
  });
});

describe('the settings of service:web_fetch', () => {
  const problems = (parameters: unknown) =>
    serverToolProblems({ type: 'service:web_fetch', parameters }, 'tools[0]').map(
      ({ path }) => path,
    );

  test.each([
    undefined,
    null,
    {},
    { engine: 'service', max_uses: 1, max_content_tokens: 1 },
    {
      engine: 'firecrawl',
      allowed_domains: ['example.com', '*.a.example', 'docs.*.com/a', 'https://a.example/'],
    },
    { blocked_domains: ['bücher.example'], max_uses: null },
  ])('may be %j', (parameters) => {
    deepEqual(problems(parameters), []);
  });

  test.each<[object, string]>([
    [{ engine: 'gopher' }, 'engine'],
    [{ max_uses: 0 }, 'max_uses'],
    [{ max_uses: 1.5 }, 'max_uses'],
    [{ max_content_tokens: '9' }, 'max_content_tokens'],
    [{ allowed_domains: 'example.com' }, 'allowed_domains'],
    [{ allowed_domains: ['example.com', 'a b.example'] }, 'allowed_domains[1]'],
    [{ blocked_domains: ['me@example.com'] }, 'blocked_domains[0]'],
    [{ blocked_domains: ['a.example', '1.2.*.4'] }, 'blocked_domains[1]'],
    [{ blocked_domains: ['localhost'] }, 'blocked_domains[0]'],
    [{ blocked_domains: Array.from({ length: 101 }, () => 'example.com') }, 'blocked_domains'],
  ])('are refused by their path: %j', (parameters, path) => {
    const found = problems(parameters);
    ok(
      found.length > 0 && found.every((one) => one === `tools[0].parameters.${path}`),
      found.join(),
    );
  });
});
