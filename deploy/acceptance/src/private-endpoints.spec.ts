import { deepEqual, equal } from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Simulator, startSimulator } from '@sluice/simulator';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { eventually, json, list, manage, text } from './http.ts';
import { inSecondOrganization } from './organization.ts';
import { sharedInstance } from './shared/instance.ts';
import type { Running } from './shared/setup.ts';

/** Models and providers that no other file has credentials for. */
const model = 'sim/gemini';
const provider = 'deepseek';

let sluice: Running;
let other: Running;
/** The upstream of the organization. */
let upstream: Simulator;
let folder: string;
let workspaceId: string;
let key: string;

beforeAll(async () => {
  sluice = await sharedInstance();
  other = await inSecondOrganization(sluice);
  folder = await mkdtemp(join(tmpdir(), 'private-endpoints-'));
  const receiptsFile = join(folder, 'receipts.jsonl');
  upstream = await startSimulator({ host: '127.0.0.1', port: 0, receiptsFile });
  const workspace = { name: 'own endpoints', slug: 'own-endpoints' };
  const made = await manage(sluice, '/workspaces', { body: workspace });
  workspaceId = text(made.body['data']?.['id']);
  const keys = await manage(sluice, '/keys', { body: { name: 'own', workspace_id: workspaceId } });
  key = text(keys.body['key']);
  await manage(sluice, '/byok', {
    body: { provider, key: 'sk-own-0123456789', workspace_id: workspaceId },
  });
});
afterAll(async () => {
  await upstream?.stop();
  await rm(folder, { recursive: true, force: true });
});

const calls = async () => {
  const lines = (await readFile(join(folder, 'receipts.jsonl'), 'utf8')).split('\n');
  return lines.filter((line) => line !== '').length;
};
const ask = (as = key, instance = sluice) =>
  json(instance, '/responses', { key: as, body: { model, input: 'hello', max_output_tokens: 50 } });
const tags = async (as: string | null, instance = sluice) => {
  const { body } = await json(instance, `/models/${model}/endpoints`, { key: as });
  return list(body['data']?.['endpoints']).map(({ tag }) => tag);
};
/** Asks until the upstream of the organization was called, or was not. */
const untilServed = (isOwn: boolean) =>
  eventually(
    async () => {
      const before = await calls();
      equal((await ask()).status, 200);
      return (await calls()) > before;
    },
    (wasCalled) => wasCalled === isOwn,
  );

describe('a private endpoint', () => {
  test('serves its organization alone while it is active', async () => {
    const body = {
      model_permaslug: model,
      provider_slug: provider,
      upstream_model_id: 'own-model',
      base_url: upstream.url,
      pricing: { prompt: '0.00001', completion: '0.00002' },
      activate: { workspace_id: workspaceId },
    };
    const made = await manage(sluice, '/private-endpoints', { body });
    equal(made.status, 201, JSON.stringify(made.body));
    equal(made.body['data']?.['status'], 'active');
    const path = `/private-endpoints/${text(made.body['data']?.['id'])}`;
    await untilServed(true);
    deepEqual(await tags(key), [`${provider}/private`, 'simulator']);
    const before = await calls();
    deepEqual(await tags(other.bootstrap.api_key, other), ['simulator']);
    deepEqual(await tags(null), ['simulator']);
    equal((await ask(other.bootstrap.api_key, other)).status, 200);
    equal(await calls(), before);
    equal((await manage(other, path)).status, 404);
    deepEqual((await manage(other, '/private-endpoints')).body['data'], []);
    await manage(sluice, `${path}/disable`, { method: 'POST' });
    await untilServed(false);
    await manage(sluice, `${path}/enable`, { method: 'POST' });
    await untilServed(true);
    const gone = await manage(sluice, path, { method: 'DELETE' });
    deepEqual(gone.body, { data: { id: made.body['data']?.['id'] } });
    await untilServed(false);
  });

  test('that does not pass stays a draft, which can be mended', async () => {
    const body = {
      model_permaslug: model,
      provider_slug: provider,
      upstream_model_id: 'own-sim-error-401',
      base_url: upstream.url,
      activate: { workspace_id: workspaceId },
    };
    const refused = await manage(sluice, '/private-endpoints', { body });
    equal(refused.status, 422);
    const endpoint = refused.body['data']?.['endpoint'];
    deepEqual(
      [endpoint?.['status'], refused.body['data']?.['validation']?.['passed']],
      ['draft', false],
    );
    const path = `/private-endpoints/${text(endpoint?.['id'])}`;
    const early = await manage(sluice, `${path}/activate`, { method: 'POST' });
    equal(early.status, 409);
    await manage(sluice, path, { method: 'PATCH', body: { upstream_model_id: 'own-model' } });
    const validation = await manage(sluice, `${path}/validate`, {
      body: { workspace_id: workspaceId },
    });
    equal(validation.body['data']?.['passed'], true, JSON.stringify(validation.body));
    const active = await manage(sluice, `${path}/activate`, { method: 'POST' });
    equal(active.body['data']?.['status'], 'active');
    equal((await manage(sluice, path, { method: 'DELETE' })).status, 200);
  });
});
