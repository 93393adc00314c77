import { deepEqual, equal, match } from 'node:assert/strict';
import { Fault } from '@sluice/errors';
import type { QueryRequest } from '@sluice/protos/sluice/analytics/v1/analytics';
import { describe, test } from 'vitest';
import { gatewayWorld, organizationId } from '../../testing/gateway-world.ts';

type Issues = { readonly error: { readonly metadata: { readonly issues: { path: string }[] } } };

/** A gateway whose analytics answers one row, and the questions that it got. */
async function world() {
  const asked: QueryRequest[] = [];
  const { request, management, regular } = await gatewayWorld({
    analytics: {
      async query(question) {
        asked.push(question);
        if (question.metrics.includes('p99_latency')) throw new Fault('timeout');
        return {
          rows: '[{"model":"sim/echo","user":null,"user_email":null,"total_usage":0.5}]',
          rowCount: 1n,
          truncated: false,
          warnings: question.filters.length > 0 ? ['a warning'] : [],
          queryTimeMs: 3,
          cachedAtMs: question.limit === 1 ? 1_795_000_000_000n : undefined,
        };
      },
    },
  });
  const key = management().secret;
  const query = (body: object) => request('POST /v1/analytics/query', { key, body });
  return { asked, request, key, query, regular };
}

describe('what can be asked', () => {
  test('is listed: metrics, dimensions, operators, granularities', async () => {
    const { request, key } = await world();
    const { status, json } = await request('GET /v1/analytics/meta', { key });
    equal(status, 200);
    const data = json['data'] as Record<string, readonly Record<string, unknown>[]>;
    deepEqual(
      data['metrics']?.find(({ name }) => name === 'cache_hit_rate'),
      {
        name: 'cache_hit_rate',
        display_label: 'Cache hit rate',
        is_rate: true,
        display_format: 'percent',
      },
    );
    equal(data['dimensions']?.length, 13);
    deepEqual(
      data['operators']?.filter((one) => one['value_type'] === 'array').map(({ name }) => name),
      ['in', 'not_in'],
    );
    deepEqual(
      data['granularities']?.map(({ name }) => name),
      ['minute', 'hour', 'day', 'week', 'month'],
    );
  });
});

describe('a question', () => {
  test('is asked for the account of the key, and answered with its rows', async () => {
    const { query, asked } = await world();
    const body = {
      metrics: ['total_usage'],
      dimensions: ['model', 'user'],
      filters: [{ field: 'app', operator: 'in', value: ['Codex', 7], include_unset: true }],
      limit: 1,
      as_of: '2026-11-01T09:00:00Z',
    };
    const { status, json } = await query(body);
    equal(status, 200);
    equal(asked[0]?.asOf, body.as_of);
    deepEqual(json, {
      data: {
        data: [{ model: 'sim/echo', user: null, user_email: null, total_usage: 0.5 }],
        metadata: { query_time_ms: 3, row_count: 1, truncated: false },
        cachedAt: 1_795_000_000_000,
        warnings: ['a warning'],
      },
    });
    deepEqual(
      [asked[0]?.accountId, asked[0]?.filters],
      [
        organizationId,
        [
          {
            field: 'app',
            operator: 'in',
            values: ['Codex', '7'],
            isList: true,
            includeUnset: true,
          },
        ],
      ],
    );
  });

  test.each<[object, string]>([
    [{}, 'metrics'],
    [{ metrics: [] }, 'metrics'],
    [{ metrics: ['cost'] }, 'metrics.0'],
    [{ metrics: ['total_usage'], dimensions: ['model', 'user', 'app'] }, 'dimensions'],
    [{ metrics: ['total_usage'], limit: 10_001 }, 'limit'],
    [{ metrics: ['total_usage'], group_limit: 0 }, 'group_limit'],
    [{ metrics: ['total_usage'], as: 1 }, 'as'],
    [
      { metrics: ['total_usage'], filters: [{ field: 'model', operator: 'in', value: [] }] },
      'filters.0.value',
    ],
    [
      { metrics: ['total_usage'], filters: [{ field: 'model', operator: 'eq', value: ['x'] }] },
      'filters.0.value',
    ],
    [
      {
        metrics: ['p50_latency'],
        time_range: { start: '2026-01-01T00:00:00Z', end: '2026-11-01T00:00:00Z' },
      },
      'time_range',
    ],
    [
      {
        metrics: ['total_usage'],
        classifier_dimensions: { classifier_id: '11111111-1111-4111-8111-111111111111' },
      },
      'classifier_dimensions',
    ],
  ])('that breaks a rule is refused with the path: %j', async (body, path) => {
    const { query, asked } = await world();
    const { status, json } = await query(body);
    equal(status, 400);
    const { issues } = (json as unknown as Issues).error.metadata;
    equal(
      issues.some((issue) => issue.path === path),
      true,
      JSON.stringify(issues),
    );
    equal(asked.length, 0);
  });

  test('that takes too long is 408', async () => {
    const { query } = await world();
    equal((await query({ metrics: ['p99_latency'] })).status, 408);
  });

  test('needs a management key', async () => {
    const { request, regular } = await world();
    const { secret: key } = regular();
    const body = { metrics: ['total_usage'] };
    equal((await request('POST /v1/analytics/query', { key, body })).status, 403);
    equal((await request('GET /v1/analytics/meta', { key })).status, 403);
    equal((await request('POST /v1/analytics/query', { body })).status, 401);
  });

  test('is 503 where no analytics service is configured', async () => {
    const { request, management } = await gatewayWorld();
    const body = { metrics: ['total_usage'] };
    const { status, text } = await request('POST /v1/analytics/query', {
      key: management().secret,
      body,
    });
    equal(status, 503);
    match(text, /no analytics service/);
  });
});
