import { deepEqual, equal } from 'node:assert/strict';
import { Fault } from '@sluice/errors';
import { describe, test } from 'vitest';
import { gatewayWorld, personalId, workspaceId } from '../../testing/gateway-world.ts';

const create = 'POST /v1/private-endpoints';
const body = {
  model_permaslug: 'acme/large-2026',
  provider_slug: 'acme',
  upstream_model_id: 'ours',
  base_url: 'https://llm.example.com/v1',
  declared_zdr: true,
  declared_region: 'europe',
  pricing: { prompt: '0.000001', completion: '0.000002' },
};
const unknown = '99999999-9999-4999-8999-999999999999';
const checks = [
  { name: 'config_ok', passed: true, reason: '' },
  { name: 'auth_ok', passed: false, reason: 'upstream_error', upstreamStatus: 401 },
].map((check) => ({
  actualModel: undefined,
  upstreamMessage: undefined,
  upstreamStatus: undefined,
  ...check,
}));

async function endpointWorld() {
  const world = await gatewayWorld();
  const { secret: key } = world.management();
  const ask = (line: string, sent?: object, headers: Record<string, string> = {}) =>
    world.request(line, { key, headers, ...(sent === undefined ? {} : { body: sent }) });
  async function draft(): Promise<string> {
    const { json } = await ask(create, body);
    return (json['data'] as { id: string }).id;
  }
  return { ...world, ask, draft };
}
const errorOf = ({ json }: { json: Record<string, unknown> }) =>
  json['error'] as {
    message: string;
    metadata: { reason?: string; issues?: { path: string }[] };
  };
const dataOf = ({ json }: { json: Record<string, unknown> }) =>
  json['data'] as Record<string, unknown>;

describe('a private endpoint', () => {
  test('is created, listed and read, each in its shape', async () => {
    const { ask } = await endpointWorld();
    const made = await ask(create, body);
    equal(made.status, 201, made.text);
    const { id, ...managed } = dataOf(made);
    const summary = {
      status: 'draft',
      model_permaslug: 'acme/large-2026',
      model_slug: 'acme/large',
      model_name: 'Large',
      provider_name: 'Acme',
    };
    const created = { created_at: '2026-11-20T12:00:00.000Z' };
    const declared = { declared_zdr: true, declared_region: 'europe' };
    deepEqual(managed, { ...summary, ...created, ...declared });
    const list = await ask('GET /v1/private-endpoints');
    deepEqual(list.json, { data: [{ id, ...summary, ...created }] });
    const full = await ask(`GET /v1/private-endpoints/${String(id)}`);
    deepEqual(dataOf(full), {
      id,
      ...summary,
      provider_slug: 'acme',
      base_url: 'https://llm.example.com/v1',
      upstream_model_id: 'ours',
      ...declared,
      pricing: body.pricing,
    });
  });

  test('whose model and provider left the catalog has no names of them', async () => {
    const { ask, draft, privateEndpoints } = await endpointWorld();
    const id = await draft();
    const kept = privateEndpoints.endpoints.get(id);
    if (kept)
      privateEndpoints.endpoints.set(id, {
        ...kept,
        modelSlug: undefined,
        modelName: undefined,
        isProviderKnown: false,
      });
    const { model_slug, model_name, provider_slug } = dataOf(
      await ask(`GET /v1/private-endpoints/${id}`),
    );
    deepEqual([model_slug, model_name, provider_slug], [null, null, null]);
  });

  test('is changed, validated, activated, switched, priced and deleted', async () => {
    const { ask, draft, privateEndpoints } = await endpointWorld();
    const id = await draft();
    const path = `/v1/private-endpoints/${id}`;
    const patched = await ask(`PATCH ${path}`, { upstream_model_id: 'other', declared_zdr: null });
    equal(dataOf(patched)['upstream_model_id'], 'other');
    const sent = privateEndpoints.requests.at(-1) as Record<string, unknown>;
    deepEqual(
      [sent['declaredZdr'], sent['declaredRegion']],
      [{ declaredZdr: undefined }, undefined],
    );
    privateEndpoints.validation = { passed: false, checks };
    const validated = await ask(`POST ${path}/validate`, { workspace_id: workspaceId });
    deepEqual(dataOf(validated), {
      passed: false,
      checks: [
        { name: 'config_ok', passed: true },
        { name: 'auth_ok', passed: false, reason: 'upstream_error', upstream_status: 401 },
      ],
    });
    for (const [word, status] of [
      ['activate', 'active'],
      ['disable', 'disabled'],
      ['enable', 'active'],
    ] as const)
      equal(dataOf(await ask(`POST ${path}/${word}`))['status'], status);
    const priced = await ask(`PUT ${path}/pricing`, { pricing: { prompt: '1', completion: '0' } });
    deepEqual(dataOf(priced)['pricing'], { prompt: '1', completion: '0' });
    deepEqual((await ask(`DELETE ${path}?draft_only=true`)).json, { data: { id } });
    const { draftOnly } = privateEndpoints.requests.at(-1) as { draftOnly: boolean };
    equal(draftOnly, true);
  });

  test('that cannot be activated keeps its draft, which the error shows', async () => {
    const { ask, privateEndpoints } = await endpointWorld();
    const activating = { ...body, activate: { workspace_id: workspaceId } };
    for (const [code, status] of [
      ['unprocessable', 422],
      ['not_found', 404],
      ['conflict', 409],
      ['internal', 500],
      ['unavailable', 502],
      ['no such code', 500],
    ] as const) {
      privateEndpoints.failure = { code, message: 'why', reason: 'upstream_error' };
      privateEndpoints.validation = { passed: false, checks };
      const refused = await ask(create, activating);
      equal(refused.status, status, code);
      const { endpoint, validation } = dataOf(refused) as Record<string, Record<string, unknown>>;
      deepEqual([endpoint?.['status'], validation?.['passed']], ['draft', false]);
      if (status < 500) equal(errorOf(refused).metadata.reason, 'upstream_error');
    }
    privateEndpoints.validation = undefined;
    equal(dataOf(await ask(create, activating))['validation'], null);
    privateEndpoints.failure = undefined;
    const active = await ask(create, activating);
    deepEqual([active.status, dataOf(active)['status']], [201, 'active']);
  });

  test('is created with the Idempotency-Key as the account service sees it', async () => {
    const { ask, privateEndpoints, idempotency } = await endpointWorld();
    await ask(create, body, { 'idempotency-key': 'one' });
    const { idempotencyKey } = privateEndpoints.requests.at(-1) as { idempotencyKey: string };
    deepEqual([idempotencyKey, idempotency.beginnings()], ['one', 0]);
    const malformed = await ask(create, body, { 'idempotency-key': 'x'.repeat(256) });
    equal(malformed.status, 400);
  });

  const codes = ['conflict', 'unprocessable', 'permission_denied', 'timeout', 'internal'] as const;
  test.each(codes)('passes the refusal %s on with its reason', async (code) => {
    const { ask, privateEndpoints } = await endpointWorld();
    privateEndpoints.fault = new Fault(code, { metadata: { reason: 'validation_stale' } });
    const refused = await ask(create, body);
    const statuses = { conflict: 409, unprocessable: 422, permission_denied: 403 };
    const wanted = { ...statuses, timeout: 408, internal: 500 }[code];
    equal(refused.status, wanted);
    if (wanted < 500) equal(errorOf(refused).metadata.reason, 'validation_stale');
  });

  test('is for management keys of organizations', async () => {
    const { ask, draft, request, regular, management } = await endpointWorld();
    const path = `/v1/private-endpoints/${await draft()}`;
    const personal = management({ accountId: personalId }).secret;
    const lines: readonly (readonly [string, object?])[] = [
      ['GET /v1/private-endpoints'],
      [create, body],
      [`GET ${path}`],
      [`PATCH ${path}`, { upstream_model_id: 'x' }],
      [`POST ${path}/validate`, { workspace_id: workspaceId }],
      [`POST ${path}/activate`],
      [`POST ${path}/enable`],
      [`POST ${path}/disable`],
      [`PUT ${path}/pricing`, { pricing: body.pricing }],
      [`DELETE ${path}`],
    ];
    for (const key of [personal, regular().secret])
      for (const [line, sent] of lines) {
        const refused = await request(line, { key, ...(sent && { body: sent }) });
        equal(refused.status, 403, line);
      }
    equal((await ask(`GET ${path}`)).status, 200);
  });

  test('that is none is not found, and an id that is none is malformed', async () => {
    const { ask } = await endpointWorld();
    equal((await ask(`GET /v1/private-endpoints/${unknown}`)).status, 404);
    equal((await ask('GET /v1/private-endpoints/x')).status, 404);
    for (const [line, sent] of [
      ['PATCH', { upstream_model_id: 'x' }],
      ['DELETE', undefined],
    ] as const) {
      equal((await ask(`${line} /v1/private-endpoints/${unknown}`, sent)).status, 404);
      equal((await ask(`${line} /v1/private-endpoints/x`, sent)).status, 400);
    }
  });

  test.each<[string, object, string]>([
    [create, { ...body, model_permaslug: '' }, 'model_permaslug'],
    [create, { ...body, provider_slug: 'No slug' }, 'provider_slug'],
    [create, { ...body, upstream_model_id: '' }, 'upstream_model_id'],
    [create, { ...body, base_url: 7 }, 'base_url'],
    [create, { ...body, declared_region: 'mars' }, 'declared_region'],
    [create, { ...body, pricing: { prompt: '1' } }, 'pricing.completion'],
    [create, { ...body, pricing: { prompt: '-1', completion: '0' } }, 'pricing.prompt'],
    [create, { ...body, activate: { workspace_id: 'x' } }, 'activate.workspace_id'],
    [create, { ...body, activate: true }, 'activate'],
    [create, { ...body, declared_parameters: ['seed'] }, 'declared_parameters'],
    [`PATCH /v1/private-endpoints/${unknown}`, {}, 'upstream_model_id'],
    [`PATCH /v1/private-endpoints/${unknown}`, { upstream_model_id: 'x', pricing: {} }, 'pricing'],
    [`POST /v1/private-endpoints/${unknown}/validate`, {}, 'workspace_id'],
    [`PUT /v1/private-endpoints/${unknown}/pricing`, {}, 'pricing'],
  ])('%s refuses %j by its path', async (line, sent, path) => {
    const { ask } = await endpointWorld();
    const refused = await ask(line, sent);
    equal(refused.status, 400, refused.text);
    equal(errorOf(refused).metadata.issues?.[0]?.path, path);
  });
});
