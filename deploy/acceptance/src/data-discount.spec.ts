import { equal, ok } from 'node:assert/strict';
import { beforeAll, test } from 'vitest';
import { eventually, json, manage, text } from './http.ts';
import { sharedInstance } from './shared/instance.ts';
import type { Running } from './shared/setup.ts';

let sluice: Running;
beforeAll(async () => {
  sluice = await sharedInstance();
});

test('a workspace that lets the operator use its contents pays one per cent less', async () => {
  const workspace = {
    name: 'Gives contents',
    slug: 'gives-contents',
    is_data_discount_logging_enabled: true,
  };
  const made = await manage(sluice, '/workspaces', { body: workspace });
  equal(made.body['data']?.['is_data_discount_logging_enabled'], true);
  const workspaceId = text(made.body['data']?.['id']);
  const keys = await manage(sluice, '/keys', { body: { name: 'own', workspace_id: workspaceId } });
  const key = text(keys.body['key']);
  const billed = async (headers: Record<string, string> = {}) => {
    const body = { model: 'sim/echo', input: 'hello', max_output_tokens: 50 };
    const answer = await json(sluice, '/responses', { key, body, headers });
    equal(answer.status, 200, JSON.stringify(answer.body));
    const id = text(answer.headers.get('x-generation-id'));
    const generation = await eventually(
      () => json(sluice, `/generation?id=${id}`, { key }),
      ({ status }) => status === 200,
    );
    const data = generation.body['data'];
    equal(data?.['total_cost'], answer.body['usage']?.['cost']);
    return { cost: Number(data?.['total_cost']), discount: data?.['data_discount'] };
  };
  const full = await billed({ 'x-service-log-content': 'false' });
  equal(full.discount, null);
  const less = await billed();
  ok(less.cost < full.cost, JSON.stringify({ full, less }));
  const nano = (usd: unknown) => Math.round(Number(usd) * 1e9);
  equal(nano(less.cost) + nano(less.discount), nano(full.cost));
  equal(nano(less.discount), Math.ceil(nano(full.cost) / 100));
});
