import { deepEqual, equal, ok } from 'node:assert/strict';
import { beforeAll, test } from 'vitest';
import { manage, text } from './http.ts';
import { sharedInstance } from './shared/instance.ts';
import type { Running } from './shared/setup.ts';

let sluice: Running;
beforeAll(async () => {
  sluice = await sharedInstance();
});

const path = '/observability/destinations';
const signingSecret = 'a-signing-secret-of-the-webhook';
const body = {
  type: 'webhook',
  name: 'Traces',
  config: { url: 'https://hooks.example.com/traces', signingSecret },
};

test('a destination is created, listed, changed and deleted, and its secret never comes out', async () => {
  const slug = 'destinations';
  const made = await manage(sluice, '/workspaces', { body: { name: slug, slug } });
  const workspace_id = text(made.body['data']?.['id']);
  const created = await manage(sluice, path, { body: { ...body, workspace_id } });
  equal(created.status, 201, JSON.stringify(created.body));
  const destination = created.body['data'];
  const one = `${path}/${text(destination?.['id'])}`;
  const masked = { ...body.config, method: 'POST', signingSecret: 'a-s...hook' };
  deepEqual(destination?.['config'], masked);
  deepEqual((await manage(sluice, one)).body['data'], destination);
  const listed = await manage(sluice, `${path}?workspace_id=${workspace_id}`);
  deepEqual(listed.body, { data: [destination], total_count: 1 });
  const patch = { config: { ...masked, method: 'PUT' }, sampling_rate: 0.5 };
  const changed = await manage(sluice, one, { method: 'PATCH', body: patch });
  deepEqual(changed.body['data']?.['config'], { ...masked, method: 'PUT' });
  const issue = async (config: object) => {
    const refused = await manage(sluice, one, { method: 'PATCH', body: { config } });
    equal(refused.status, 400);
    return JSON.stringify(refused.body);
  };
  ok((await issue({ url: 'https://169.254.169.254/' })).includes('config.url'));
  ok((await issue({ signingSecret: 'a\u0000b' })).includes('config.signingSecret'));
  for (let number = 2; number <= 5; number++)
    equal((await manage(sluice, path, { body: { ...body, workspace_id } })).status, 201);
  equal((await manage(sluice, path, { body: { ...body, workspace_id } })).status, 409);
  deepEqual((await manage(sluice, one, { method: 'DELETE' })).body, { deleted: true });
  equal((await manage(sluice, one)).status, 404);
});
