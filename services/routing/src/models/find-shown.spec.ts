import { deepEqual, equal } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { createCatalog } from '@sluice/catalog';
import { dataOf, listing } from '../testing/sample-listing.ts';
import { sampleEndpoint, sampleModel } from '@sluice/catalog/testing';

describe('a name', () => {
  const models = [
    sampleModel('a/sonnet-1', { created: 1 }),
    sampleModel('a/sonnet-2', { created: 2 }),
    sampleModel('a/sonnet-3', { created: 3, isHidden: true }),
    sampleModel('a/sonneteer', { created: 9 }),
    sampleModel('a/sonnet-1:free', { created: 0 }),
  ];
  const concrete = createCatalog(models, []);
  const catalog = {
    listed: concrete.listed,
    find: (id: string) => concrete.find(id === 'a/old' ? 'a/sonnet-1' : id),
  };
  const { read } = listing([], { more: { catalog } });
  const find = (slug: string, author = 'a') => read('model', { author, slug });

  test('that is an alias tells what it stands for', async () => {
    for (const [author, slug, target] of [
      ['a', 'old', 'a/sonnet-1'],
      ['~a', 'sonnet-latest', 'a/sonnet-2'],
    ] as const) {
      const { id, alias_target: alias } = await dataOf<{ id: string; alias_target: object }>(
        find(slug, author),
      );
      equal(id, `${author}/${slug}`);
      deepEqual(alias, { slug: target, name: target });
    }
  });

  test('has its variant where that is a model of its own, and else its model', async () => {
    for (const [slug, id] of [
      ['sonnet-1:free', 'a/sonnet-1:free'],
      ['sonnet-1:free:nitro', 'a/sonnet-1:free'],
      ['sonnet-1:floor', 'a/sonnet-1'],
    ] as const)
      equal((await dataOf<{ id: string }>(find(slug))).id, id);
  });

  test.each(['none', 'sonnet-3', 'sonnet-2:free', 'sonnet-2:unheard', 'sonnet-latest', ''])(
    'that names nothing that is listed (%j) is not found',
    async (slug) => {
      for (const view of ['model', 'endpoints'] as const)
        equal((await read(view, { author: 'a', slug })).status, 404);
    },
  );
});

describe('what was measured', () => {
  const percentiles = { p50: 1, p75: 2, p90: 3, p99: 4 };
  const dataPolicy = { retains: false, trains: false, publishes: false };
  const one = sampleEndpoint('a/b', 'groq', { dataPolicy, quantization: 'fp8' });
  const model = sampleModel('a/b', { endpoints: [one, sampleEndpoint('a/b', 'openai')] });
  const statistics = (id: string) =>
    id === one.id
      ? {
          latencyMs: percentiles,
          tokensPerSecond: undefined,
          uptime5m: 50,
          uptime30m: 90,
          uptime1d: 99.5,
          requestCount: 7,
        }
      : undefined;
  const { read } = listing([model], { more: { statistics } });
  interface Endpoint {
    readonly [name: string]: unknown;
  }

  test('is shown only with a key', async () => {
    const parameters = { author: 'a', slug: 'b' };
    const shown = await dataOf<{ endpoints: Endpoint[] }>(read('endpoints', parameters, true));
    const hidden = await dataOf<{ endpoints: Endpoint[] }>(read('endpoints', parameters));
    const [first, second] = shown.endpoints;
    deepEqual(
      [first?.['uptime_last_5m'], first?.['uptime_last_30m'], first?.['uptime_last_1d']],
      [50, 90, 99.5],
    );
    deepEqual(first?.['latency_last_30m'], percentiles);
    deepEqual(first?.['perf_last_30m_by_workload'], {
      text_generation: { latency: percentiles, throughput: null, request_count: 7 },
    });
    equal(first?.['status'], -1);
    equal(second?.['status'], 0);
    for (const endpoint of [second, ...hidden.endpoints]) {
      for (const name of ['uptime_last_5m', 'uptime_last_30m', 'uptime_last_1d'])
        equal(endpoint?.[name], null);
      equal(endpoint?.['latency_last_30m'], null);
      equal(endpoint?.['throughput_last_30m'], null);
      equal(endpoint?.['perf_last_30m_by_workload'], undefined);
    }
  });

  test('stands beside what is known of an endpoint', async () => {
    const [endpoint, ...others] = await dataOf<Endpoint[]>(read('zero-retention-endpoints'));
    equal(others.length, 0);
    deepEqual(
      ['name', 'model_id', 'provider_name', 'tag', 'quantization', 'context_length'].map(
        (name) => endpoint?.[name],
      ),
      ['The groq | a/b', 'a/b', 'The groq', 'groq', 'fp8', null],
    );
    deepEqual(endpoint?.['supports_tool_choice'], {
      auto: true,
      none: true,
      required: true,
      function: true,
    });
  });

  test('of providers there is each once', async () => {
    const providers = await dataOf<{ slug: string; privacy_policy_url: null }[]>(read('providers'));
    deepEqual(
      providers.map(({ slug, privacy_policy_url: url }) => [slug, url]),
      [
        ['groq', null],
        ['openai', null],
      ],
    );
  });
});
