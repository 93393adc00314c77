import { deepEqual, equal, throws } from 'node:assert/strict';
import { mintApiKey } from '@sluice/api-key';
import { randomBytes } from 'node:crypto';
import { describe, test } from 'vitest';
import { buildApp } from '../app.ts';
import { gatewayWorld } from '../testing/gateway-world.ts';

/** The whole public surface. A route that is added, moved or opened must be changed here too. */
const built = [
  'POST /v1/responses inference',
  'GET /v1/models public',
  'GET /v1/keys management',
  'POST /v1/keys management',
  'GET /v1/keys/:hash management',
  'PATCH /v1/keys/:hash management',
  'DELETE /v1/keys/:hash management',
  'GET /v1/key any',
  'GET /v1/credits management',
  'GET /v1/activity management',
  'GET /v1/generation any',
  'POST /v1/generation/feedback management',
  'GET /proof/budget/:id management',
];
const notBuilt = [
  'GET /v1/analytics/meta management',
  'POST /v1/analytics/query management',
  'GET /v1/byok management',
  'POST /v1/byok management',
  'GET /v1/byok/:id management',
  'PATCH /v1/byok/:id management',
  'DELETE /v1/byok/:id management',
  'GET /v1/end-users management',
  'POST /v1/end-users management',
  'GET /v1/end-users/:user management',
  'PATCH /v1/end-users/:user management',
  'DELETE /v1/end-users/:user management',
  'GET /v1/guardrails management',
  'POST /v1/guardrails management',
  'GET /v1/guardrails/:id management',
  'PATCH /v1/guardrails/:id management',
  'DELETE /v1/guardrails/:id management',
  'GET /v1/guardrails/:id/assignments/keys management',
  'POST /v1/guardrails/:id/assignments/keys management',
  'POST /v1/guardrails/:id/assignments/keys/remove management',
  'GET /v1/guardrails/:id/assignments/members management',
  'POST /v1/guardrails/:id/assignments/members management',
  'POST /v1/guardrails/:id/assignments/members/remove management',
  'GET /v1/guardrails/assignments/keys management',
  'GET /v1/guardrails/assignments/members management',
  'GET /v1/observability/destinations management',
  'POST /v1/observability/destinations management',
  'GET /v1/observability/destinations/:id management',
  'PATCH /v1/observability/destinations/:id management',
  'DELETE /v1/observability/destinations/:id management',
  'GET /v1/organization/members management',
  'GET /v1/organization/settings management',
  'PATCH /v1/organization/settings management',
  'GET /v1/private-endpoints management',
  'POST /v1/private-endpoints management',
  'GET /v1/private-endpoints/:id management',
  'PATCH /v1/private-endpoints/:id management',
  'DELETE /v1/private-endpoints/:id management',
  'POST /v1/private-endpoints/:id/activate management',
  'POST /v1/private-endpoints/:id/disable management',
  'POST /v1/private-endpoints/:id/enable management',
  'PUT /v1/private-endpoints/:id/pricing management',
  'POST /v1/private-endpoints/:id/validate management',
  'GET /v1/scim/group-mappings management',
  'POST /v1/scim/group-mappings management',
  'GET /v1/scim/group-mappings/:id management',
  'PATCH /v1/scim/group-mappings/:id management',
  'DELETE /v1/scim/group-mappings/:id management',
  'GET /v1/scim/groups management',
  'POST /v1/scim/sync-jobs management',
  'GET /v1/scim/sync-jobs/:id management',
  'GET /v1/workspaces management',
  'POST /v1/workspaces management',
  'GET /v1/workspaces/:id management',
  'PATCH /v1/workspaces/:id management',
  'DELETE /v1/workspaces/:id management',
  'GET /v1/workspaces/:id/budgets management',
  'GET /v1/workspaces/:id/budgets/:interval management',
  'PUT /v1/workspaces/:id/budgets/:interval management',
  'DELETE /v1/workspaces/:id/budgets/:interval management',
  'GET /v1/workspaces/:id/members management',
  'POST /v1/workspaces/:id/members/add management',
  'POST /v1/workspaces/:id/members/remove management',
  'GET /v1/generation/content any',
];
const parts = (line: string) => line.split(' ') as [string, string, string];
const concrete = (url: string) => url.replaceAll(/:\w+/g, 'x');

describe('the public surface', () => {
  test('is exactly this', async () => {
    const { routes } = await gatewayWorld();
    const found = routes.map(({ method, url, auth }) => `${method} ${url} ${auth}`);
    deepEqual(found, [...built, ...notBuilt]);
  });

  test('cannot get a route that does not say whom it serves', async () => {
    const { dependencies } = await gatewayWorld();
    const { app } = buildApp(dependencies);
    const handler = async () => ({});
    throws(() => app.get('/v1/open', handler), /GET \/v1\/open declares no auth/);
    throws(
      () => app.get('/v1/odd', { config: { auth: 'everybody' as 'any' } }, handler),
      /declares no auth/,
    );
  });
});

describe('every route', () => {
  test('that is not public refuses a request without a key', async () => {
    const { request } = await gatewayWorld();
    for (const [method, url, auth] of [...built, ...notBuilt].map(parts)) {
      if (auth === 'public') continue;
      const { status, json } = await request(`${method} ${concrete(url)}`);
      equal(status, 401, url);
      deepEqual((json['error'] as { message: string }).message, 'Missing Authentication header');
    }
  });

  test('refuses a well-formed key that was never issued', async () => {
    const { request } = await gatewayWorld({ settings: { authFailuresPerMinute: 1_000 } });
    for (const [method, url] of [...built, ...notBuilt].map(parts)) {
      const key = mintApiKey('management', randomBytes);
      equal((await request(`${method} ${concrete(url)}`, { key })).status, 401, url);
    }
  });

  test('refuses the wrong kind of key before it looks at anything else', async () => {
    const { request, regular, management } = await gatewayWorld();
    const keys = { management: regular().secret, inference: management().secret };
    for (const [method, url, auth] of [...built, ...notBuilt].map(parts)) {
      if (auth !== 'management' && auth !== 'inference') continue;
      const { status, json } = await request(`${method} ${concrete(url)}`, {
        key: keys[auth],
        headers: { 'content-type': 'text/plain' },
        body: 'not json',
      });
      equal(status, 403, `${method} ${url}`);
      deepEqual(json, {
        error: {
          code: 403,
          message:
            auth === 'management'
              ? 'Only management keys can perform this operation'
              : 'Management keys cannot be used for inference',
          metadata: { error_type: 'permission_denied' },
        },
      });
    }
  });

  test('that is not built says so to who may use it', async () => {
    const { request, management } = await gatewayWorld();
    const key = management().secret;
    for (const [method, url] of notBuilt.map(parts)) {
      const { status, json } = await request(`${method} ${concrete(url)}`, { key });
      equal(status, 501, `${method} ${url}`);
      deepEqual(json, {
        error: {
          code: 501,
          message: `${method} ${url.slice('/v1'.length)} is not built yet`,
          metadata: { error_type: 'invalid_request' },
        },
      });
    }
  });
});
