import { join } from 'node:path';
import { afterEach, beforeEach, describe, inject, test } from 'vitest';
import {
  projectionSpecification,
  recordedEvents,
  testDatabase,
  type TestDatabase,
} from '@sluice/read-model/testing';
import { privateEndpointsProjection } from './private-endpoints.ts';

let database: TestDatabase;
beforeEach(async () => {
  const migrations = join(import.meta.dirname, '../migrations');
  database = await testDatabase({ url: inject('postgresUrl'), migrations });
});
afterEach(() => database.drop());

const of = { accountId: 'org_1', endpointId: '0190a000-0000-7000-8000-0000000000e1' };
const at = '2026-01-02T03:04:05.678Z';
const upstream = {
  upstreamModelId: "it's",
  baseUrl: 'https://llm.example.com/v1',
  declaredZdr: true,
  declaredRegion: 'europe',
};
const pricing = { prompt: '0.000001', completion: '0.000002' };
const drafted = {
  type: 'PrivateEndpointDrafted',
  data: {
    ...of,
    modelPermaslug: 'acme/large-2026',
    provider: 'acme',
    providerName: 'Acme',
    ...upstream,
    pricing,
    idempotency: null,
    draftedAt: at,
  },
};
const change = (name: string, more: object = {}) => ({
  type: `PrivateEndpoint${name}`,
  data: { ...of, changedAt: at, ...more },
});
const row = {
  endpoint_id: of.endpointId,
  account_id: 'org_1',
  status: 'draft',
  model_permaslug: 'acme/large-2026',
  provider: 'acme',
  provider_name: 'Acme',
  upstream_model_id: "it's",
  base_url: 'https://llm.example.com/v1',
  declared_zdr: true,
  declared_region: 'europe',
  prompt_price: '0.000001',
  completion_price: '0.000002',
  created_at: new Date(at),
};
const shows = (
  events: readonly { readonly type: string; readonly data: object }[],
  rows: readonly object[],
) =>
  projectionSpecification({ database, apply: privateEndpointsProjection.apply })
    .project(...recordedEvents('privateEndpoints-org_1', ...events))
    .twice()
    .expectRows('SELECT * FROM private_endpoints', rows);

describe('the table of private endpoints', () => {
  test('holds a draft, and no validations', () => {
    const validated = { workspaceId: 'w', credentialId: 'c', secretId: 's', validatedAt: at };
    const failed = { workspaceId: 'w', failures: [], failedAt: at };
    return shows(
      [drafted, change('Validated', validated), change('ValidationFailed', failed)],
      [row],
    );
  });
  test('holds its upstream and its rates as they were changed last', () => {
    const other = { ...upstream, baseUrl: null, declaredZdr: null, declaredRegion: null };
    const rates = { pricing: { prompt: '1', completion: '2' } };
    return shows(
      [drafted, change('Reconfigured', other), change('Repriced', rates)],
      [
        {
          ...row,
          base_url: null,
          declared_zdr: null,
          declared_region: null,
          prompt_price: '1',
          completion_price: '2',
        },
      ],
    );
  });
  test.each([
    [['Activated'], 'active'],
    [['Activated', 'Disabled'], 'disabled'],
    [['Activated', 'Disabled', 'Enabled'], 'active'],
  ] as const)('shows its status after %j', (names, status) =>
    shows([drafted, ...names.map((name) => change(name))], [{ ...row, status }]),
  );
  test('holds no deleted one', () => shows([drafted, change('Deleted')], []));
});
