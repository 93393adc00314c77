import { deepEqual, equal, match } from 'node:assert/strict';
import { afterAll, afterEach, beforeAll, describe, test } from 'vitest';
import { doors } from '../../testing/doors.ts';
import {
  eventually,
  routingHarness,
  type RoutingHarness,
  textOf,
} from '../../testing/routing-harness.ts';

const model = (id: string, upstream: string, index: number | undefined, usd: number) => `
  - id: ${id}
    endpoints:
      - { provider: openai, upstream_model: ${upstream},
          pricing: { prompt: '${(usd / 1e6).toFixed(9)}', completion: '${(usd / 1e6).toFixed(9)}' } }
${index === undefined ? '' : `    benchmarks: { artificial_analysis: { coding_index: ${index} } }`}`;

let routing: RoutingHarness;
let caller = 0;
beforeAll(async () => {
  routing = await routingHarness({
    catalogFile: (url) => `
providers:
  - { slug: openai, name: OpenAI, dialect: openai-responses, base_url: '${url}' }
models:${model('a/broken', 'sim-error-503', 60, 1)}${model('a/good', 'echo', 58, 2)}${model('a/best', 'echo', 59, 9)}
${model('a/dear', 'echo', 57, 90)}${model('a/middle', 'echo', 30, 0.5)}${model('a/picky', 'sim-error-400', 10, 0.1)}
${model('a/small', 'echo', 9, 0.2)}${model('a/unscored', 'echo', undefined, 0.01)}
`,
  });
});
afterAll(() => routing.stop());
afterEach(() => {
  routing.policies.defaultPlugins = [];
});

interface Metadata {
  readonly strategy: string;
  readonly attempts: readonly { readonly model: string; readonly status: number }[];
  readonly pipeline: readonly {
    readonly name: string;
    readonly data: { readonly tier: string; readonly chosen: readonly string[] };
  }[];
}

const metadataPattern = /"service_metadata":(\{.*?"generation_time":\d+\})/s;

/** Calls as another workspace each time: no earlier policy is known. */
async function ask({ dialect, asks }: (typeof doors)[number], fields: object) {
  caller += 1;
  const principal = {
    accountId: 'account',
    workspaceId: `workspace-${String(caller)}`,
    keyHash: 'key',
    limitNanoUsd: null,
    limitReset: null,
    includeByokInLimit: false,
  };
  const body = { model: 'service/pareto-code', ...asks('write a parser'), ...fields };
  const client = { wantsMetadata: true } as const;
  const reply = await routing.call(body, { dialect, principal, client });
  const text = await textOf(reply);
  const [, json = '{}'] = metadataPattern.exec(text) ?? [];
  const id = `${reply.headers['x-generation-id'] ?? ''}/`;
  return { status: reply.status, text, id, metadata: JSON.parse(json) as Metadata };
}

const cases = doors.flatMap((door) => [false, true].map((stream) => ({ ...door, stream })));
const setting = (settings: object) => ({ plugins: [{ id: 'pareto-router', ...settings }] });

describe.each(cases)('service/pareto-code at $dialect, stream: $stream', ({ stream, ...door }) => {
  test('serves with the cheapest of the tier, after its failures with the next ones', async () => {
    const { status, text, id, metadata } = await ask(door, { stream });
    equal(status, 200, text);
    match(text, /"model":"a\/good"/);
    equal(metadata.strategy, 'pareto');
    deepEqual(
      metadata.attempts.map(({ model: tried, status: answered }) => [tried, answered]),
      [
        ['a/broken', 503],
        ['a/good', 200],
      ],
    );
    const [stage] = metadata.pipeline;
    deepEqual(
      [stage?.name, stage?.data.tier, stage?.data.chosen],
      ['pareto-router', 'high', ['a/broken', 'a/good', 'a/best']],
    );
    const fact = await eventually(
      () => routing.ledger.facts.find(({ usageId }) => usageId.startsWith(id)),
      'the usage fact',
    );
    const kept = JSON.parse(fact.routing) as {
      readonly strategy: string;
      readonly router: { readonly slug: string; readonly data: object };
    };
    equal(kept.strategy, 'pareto');
    deepEqual([kept.router.slug, kept.router.data], ['service/pareto-code', stage?.data]);
  });

  test('takes its settings from the request, or from the workspace', async () => {
    const asked = await ask(door, { stream, ...setting({ min_coding_score: 0.5 }) });
    match(asked.text, /"model":"a\/middle"/);
    routing.policies.defaultPlugins = [{ id: 'pareto-router', max_price: 0.6 }];
    const byDefault = await ask(door, { stream });
    match(byDefault.text, /"model":"a\/middle"/);
    const off = await ask(door, { stream, ...setting({ enabled: false }) });
    match(off.text, /"model":"a\/good"/);
  });

  test('has no fallback for a request that the first choice refuses', async () => {
    const refused = await ask(door, { stream, ...setting({ min_coding_score: 0 }) });
    equal(refused.status, 400, refused.text);
    const named = await ask(door, { stream, model: 'a/picky', models: ['a/small'] });
    equal(named.status, 200, named.text);
  });

  test('is refused if nothing fits, and costs nothing', async () => {
    const { status, text } = await ask(door, { stream, ...setting({ max_price: 0.05 }) });
    equal(status, 404, text);
    match(text, /max_price \(0.05 USD/);
  });

  test('has its settings checked', async () => {
    for (const settings of [{ max_price: -1 }, { min_coding_score: 1.1, enabled: false }])
      equal((await ask(door, { stream, ...setting(settings) })).status, 400);
  });
});
