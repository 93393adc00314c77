import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { systemClock } from '@sluice/clock-and-ids';
import { createEgress, type Egress } from '@sluice/egress';
import type { ClientDialectName } from '@sluice/inference-port';
import { createWebFetcher, type WebFetcher } from '@sluice/web-fetch';
import { Type } from 'typebox';
import { afterAll, beforeAll, describe, test } from 'vitest';
import {
  eventually,
  type RoutingHarness,
  routingHarness,
  textOf,
} from '../../testing/routing-harness.ts';
import type { ServerTool } from '../../tools/tool.ts';
import { webFetchTool } from '../../tools/web-fetch/index.ts';

// The model calls `service:web_fetch`, which reads pages of the simulated web.

const saturn = 'http://space.corpus.example/saturn';
const missing = 'http://space.corpus.example/missing';
const metadata = 'http://169.254.169.254/latest/meta-data/';

let routing: RoutingHarness;
let egress: Egress;
let fetcher: WebFetcher;
/** The simulated model takes its arguments from the defaults of the schema. */
let wanted = saturn;

beforeAll(async () => {
  const tool = webFetchTool({
    catalog: { toolPrices: { find: () => undefined } },
    clock: systemClock,
    webFetcher: { fetch: (request) => fetcher.fetch(request) },
  });
  const withDefault: ServerTool = {
    ...tool,
    asFunction: (settings) => ({
      ...tool.asFunction(settings),
      parameters: Type.Object({ url: Type.String({ default: wanted }) }),
    }),
  };
  routing = await routingHarness({ tools: [withDefault] });
  const { hostname: host, port } = new URL(routing.simulator.url);
  egress = createEgress({
    isHttpAllowed: true,
    reroute: { hostEnd: '.corpus.example', host, port: Number(port) },
  });
  fetcher = createWebFetcher({ egress });
});
afterAll(async () => {
  await routing.stop();
  await fetcher.stop();
  await egress.stop();
});

const asked = { role: 'user', content: 'call service_web_fetch' };
const bodyOf = (dialect: ClientDialectName, parameters: object) => {
  const tools = [{ type: 'service:web_fetch', parameters }];
  if (dialect === 'responses') return { input: [asked], tools };
  return { messages: [asked], tools, ...(dialect === 'messages' && { max_tokens: 5_000 }) };
};

const doors = ['responses', 'chat-completions', 'messages'] as const;
const models = ['sim/echo', 'sim/chat', 'sim/messages', 'sim/gemini'];
const cases = doors.flatMap((dialect) =>
  models.flatMap((model) => [false, true].map((stream) => ({ dialect, model, stream }))),
);

async function answerOf(
  dialect: ClientDialectName,
  {
    url,
    parameters = {},
    ...more
  }: { url: string; parameters?: object; model: string; stream: boolean },
) {
  wanted = url;
  const reply = await routing.call({ ...bodyOf(dialect, parameters), ...more }, { dialect });
  const text = await textOf(reply);
  equal(reply.status, 200, text);
  return { reply, text };
}

describe('a loop of service:web_fetch', () => {
  test.each(cases)('$dialect of $model, streamed: $stream', async ({ dialect, ...more }) => {
    const { reply, text } = await answerOf(dialect, { url: saturn, ...more });
    match(text, /Saturn: facts about the planet/);
    const id = reply.headers['x-generation-id'] ?? '';
    const facts = () => routing.ledger.facts.filter(({ generationId }) => generationId === id);
    await eventually(() => facts().length >= 3 || undefined, 'the facts');
    const fetched = facts().find(({ usageId }) => usageId.endsWith('/tool/1'));
    equal(fetched?.costNanoUsd, 0n);
  });

  test('shows the page as an item', async () => {
    const { text } = await answerOf('responses', { url: saturn, model: 'sim/echo', stream: false });
    const { output } = JSON.parse(text) as { output: readonly Record<string, unknown>[] };
    const item = output.find(({ type }) => type === 'service:web_fetch');
    deepEqual(
      [item?.['status'], item?.['url'], item?.['title'], item?.['httpStatus']],
      ['completed', saturn, 'Saturn: facts about the planet (simulated web)', 200],
    );
    match(String(item?.['content']), /Saturn is the sixth planet/);
  });

  test('may be cited by the answer', async () => {
    const { text } = await answerOf('responses', { url: saturn, model: 'sim/echo', stream: false });
    const { output } = JSON.parse(text) as {
      output: readonly {
        readonly type: string;
        readonly content: readonly {
          readonly text: string;
          readonly annotations: readonly Record<string, unknown>[];
        }[];
      }[];
    };
    const part = output.find(({ type }) => type === 'message')?.content[0];
    const [citation] = part?.annotations ?? [];
    deepEqual([citation?.['type'], citation?.['url']], ['url_citation', saturn]);
    const [start, end] = [Number(citation?.['start_index']), Number(citation?.['end_index'])];
    equal(part?.text.slice(start, end), saturn);
  });

  test.each([
    ['a page that there is not', missing, {}, /status 404/],
    ['an address inside', metadata, {}, /not a public address/],
    ['this machine', 'http://127.0.0.1/', {}, /not a public address/],
    [
      'a domain that is not allowed',
      saturn,
      { allowed_domains: ['other.example'] },
      /not permitted/,
    ],
    ['a domain that is blocked', saturn, { blocked_domains: ['corpus.example'] }, /not permitted/],
  ])('goes on with an error result for %s', async (_, url, parameters, message) => {
    const { text } = await answerOf('responses', {
      url,
      parameters,
      model: 'sim/echo',
      stream: false,
    });
    const { output, status } = JSON.parse(text) as {
      output: readonly Record<string, unknown>[];
      status: string;
    };
    equal(status, 'completed');
    const item = output.find(({ type }) => type === 'service:web_fetch');
    match(String(item?.['error']), message);
    ok(output.some(({ type }) => type === 'message'));
  });

  test('refuses wrong settings by their path, at each door', async () => {
    for (const dialect of doors) {
      const body = { ...bodyOf(dialect, { max_uses: 0 }), model: 'sim/echo' };
      const reply = await routing.call(body, { dialect });
      equal(reply.status, 400);
      match(await textOf(reply), /tools\[0\]\.parameters\.max_uses/);
    }
  });
});
