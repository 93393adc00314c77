import { deepEqual, doesNotThrow, equal, notEqual, ok, throws } from 'node:assert/strict';
import { mintApiKey } from '@sluice/api-key';
import { randomBytes } from 'node:crypto';
import { Type } from 'typebox';
import { describe, test } from 'vitest';
import { buildApp } from '../../app.ts';
import { gatewayWorld, personalId } from '../../testing/gateway-world.ts';
import { resourceOf } from './resources.ts';
import { statusesOfAll } from './statuses.ts';

/**
 * The whole public surface, in any order: path, method, key, whether it is for organizations only,
 * rate, the statuses that not every route has. A route that is added, moved or opened must be changed here too.
 */
const surface = `
/ GET public management 200
/docs GET public management 200
/docs/:file GET public management 200 404
/openapi.json GET public management 200
/proof/budget/:id GET management management 200 400 403 404
/proof/conservation GET management management 200 400 403
/v1 GET public management 200
/v1/activity GET management management 200 400 403 404
/v1/analytics/exports GET management management 200 400 403
/v1/analytics/exports POST management management 202 400 403 409 413 415 422
/v1/analytics/exports/:id GET management management 200 403 404
/v1/analytics/meta GET management management 200 403
/v1/analytics/query POST management analytics 200 400 403 409 413 415 422
/v1/byok GET management management 200 400 403
/v1/byok POST management management 201 400 403 409 413 415 422
/v1/byok/:id DELETE management management 200 403 404 409
/v1/byok/:id GET management management 200 403 404
/v1/byok/:id PATCH management management 200 400 403 404 409 413 415
/v1/chat/completions POST inference inference 200 400 402 403 404 413 415 422 502 524 529
/v1/containers/:container_id/files GET any management 200 400 404
/v1/containers/:container_id/files/:file_id GET any management 200 400 404
/v1/containers/:container_id/files/:file_id/content GET any management 200 400 404
/v1/containers/:container_id/files/:file_id/promote POST any management 201 400 404 409 413 415
/v1/credits GET management management 200 400 403
/v1/embeddings POST inference inference 200 400 402 403 404 413 415 422 502 524 529
/v1/embeddings/models GET public inference 200 400
/v1/endpoints/zdr GET public inference 200
/v1/end-users GET management organization management 200 400 403 404
/v1/end-users POST management organization management 201 400 403 404 409 413 415 422
/v1/end-users/:user DELETE management organization management 204 400 403 404 409
/v1/end-users/:user GET management organization management 200 400 403 404
/v1/end-users/:user PATCH management organization management 200 400 403 404 409 413 415
/v1/files GET any management 200 400 404
/v1/files POST any management 201 400 404 409 413 415
/v1/files/:id DELETE any management 200 404 409
/v1/files/:id GET any management 200 404
/v1/files/:id/content GET any management 200 404
/v1/generation GET any management 200 400 402 404 502 524 529
/v1/generation/content GET any management 200 400 403 404
/v1/generation/feedback POST management keys 200 400 403 404 409 413 415 422
/v1/guardrails GET management management 200 400 403
/v1/guardrails POST management management 201 400 403 409 413 415 422
/v1/guardrails/:id DELETE management management 200 403 404 409
/v1/guardrails/:id GET management management 200 403 404
/v1/guardrails/:id PATCH management management 200 400 403 404 409 413 415
/v1/guardrails/:id/assignments/keys GET management management 200 400 403 404
/v1/guardrails/:id/assignments/keys POST management management 200 400 403 404 409 413 415 422
/v1/guardrails/:id/assignments/keys/remove POST management management 200 400 403 404 409 413 415 422
/v1/guardrails/:id/assignments/members GET management management 200 400 403 404
/v1/guardrails/:id/assignments/members POST management organization management 200 400 403 404 409 413 415 422
/v1/guardrails/:id/assignments/members/remove POST management organization management 200 400 403 404 409 413 415 422
/v1/guardrails/:id/test POST management management 200 400 403 404 409 413 415 422
/v1/guardrails/allowed-phrases GET management management 200 403
/v1/guardrails/allowed-phrases PUT management management 200 400 403 409 413 415
/v1/guardrails/assignments/keys GET management management 200 400 403
/v1/guardrails/assignments/members GET management management 200 400 403
/v1/guardrails/unsupported-features GET management management 200 403
/v1/guardrails/unsupported-features PUT management management 200 400 403 409 413 415
/v1/key GET any management 200
/v1/keys GET management keys 200 400 403
/v1/keys POST management keys 201 400 403 409 413 415 422
/v1/keys/:hash DELETE management keys 200 403 404 409
/v1/keys/:hash GET management keys 200 400 403 404
/v1/keys/:hash PATCH management keys 200 400 403 404 409 413 415
/v1/messages POST inference inference 200 400 402 403 404 413 415 422 502 524 529
/v1/messages/count_tokens POST inference inference 200 400 403 404 413 415
/v1/model/:author/:slug GET public inference 200 404
/v1/model-aliases GET management management 200 403
/v1/model-aliases/:author/:slug DELETE management management 200 400 403 404 409
/v1/model-aliases/:author/:slug GET management management 200 400 403 404
/v1/model-aliases/:author/:slug PUT management management 200 400 403 404 409 413 415
/v1/presets GET any management 200 400 404
/v1/presets/:slug GET any management 200 400 404
/v1/presets/:slug PATCH management management 200 400 403 404 409 413 415
/v1/presets/:slug/chat/completions POST management management 200 400 403 404 409 413 415 422
/v1/presets/:slug/messages POST management management 200 400 403 404 409 413 415 422
/v1/presets/:slug/responses POST management management 200 400 403 404 409 413 415 422
/v1/presets/:slug/versions GET any management 200 400 404
/v1/presets/:slug/versions/:version GET any management 200 400 404
/v1/models GET public inference 200 400
/v1/models/:author/:slug GET public inference 200 404
/v1/models/:author/:slug/endpoints GET public inference 200 404
/v1/models/:model GET public inference 200 404
/v1/models/count GET public inference 200 400
/v1/models/user GET inference inference 200 400 403 404
/v1/observability/destinations GET management management 200 400 403
/v1/observability/destinations POST management management 201 400 403 409 413 415 422
/v1/observability/destinations/:id DELETE management management 200 403 404 409
/v1/observability/destinations/:id GET management management 200 403 404
/v1/observability/destinations/:id PATCH management management 200 400 403 404 409 413 415
/v1/observability/destinations/:id/dead-letters GET management management 200 400 403 404
/v1/observability/destinations/:id/replay POST management management 200 400 403 404 409 413 415 422
/v1/observability/destinations/:id/status GET management management 200 400 403 404
/v1/observability/destinations/:id/test POST management management 200 400 403 404 409 413 415 422
/v1/organization/members GET management organization management 200 400 403 404
/v1/organization/settings GET management organization management 200 403 404
/v1/organization/settings PATCH management organization management 200 400 403 404 409 413 415
/v1/private-endpoints GET management management 200 403
/v1/private-endpoints POST management management 201 400 403 404 409 413 415 422 502
/v1/private-endpoints/:id DELETE management management 200 400 403 404 409 422 502
/v1/private-endpoints/:id GET management management 200 403 404
/v1/private-endpoints/:id PATCH management management 200 400 403 404 409 413 415 422 502
/v1/private-endpoints/:id/activate POST management management 200 400 403 404 409 413 415 422 502
/v1/private-endpoints/:id/disable POST management management 200 400 403 404 409 413 415 422 502
/v1/private-endpoints/:id/enable POST management management 200 400 403 404 409 413 415 422 502
/v1/private-endpoints/:id/pricing PUT management management 200 400 403 404 409 413 415 422 502
/v1/private-endpoints/:id/validate POST management management 200 400 403 404 409 413 415 422 502
/v1/providers GET public inference 200
/v1/rerank POST inference inference 200 400 402 403 404 413 415 422 502 524 529
/v1/responses POST inference inference 200 400 402 403 404 413 415 422 502 524 529
/v1/scim/group-mappings GET management organization management 200 400 403 404
/v1/scim/group-mappings POST management organization management 201 400 403 404 409 413 415 422
/v1/scim/group-mappings/:id DELETE management organization management 200 400 403 404 409
/v1/scim/group-mappings/:id GET management organization management 200 403 404
/v1/scim/group-mappings/:id PATCH management organization management 200 400 403 404 409 413 415
/v1/scim/groups GET management organization management 200 400 403 404
/v1/scim/sync-jobs POST management organization management 202 400 403 404 409 413 415 422
/v1/scim/sync-jobs/:id GET management organization management 200 403 404
/v1/workspaces GET management management 200 400 403
/v1/workspaces POST management management 201 400 403 409 413 415 422
/v1/workspaces/:id DELETE management management 200 400 403 404 409
/v1/workspaces/:id GET management management 200 403 404
/v1/workspaces/:id PATCH management management 200 400 403 404 409 413 415
/v1/workspaces/:id/members GET management management 200 400 403 404
/v1/workspaces/:id/members/add POST management organization management 200 400 403 404 409 413 415 422
/v1/workspaces/:id/members/remove POST management organization management 200 400 403 404 409 413 415 422
/v1/workspaces/:workspace_ref/budgets GET management management 200 403 404
/v1/workspaces/:workspace_ref/budgets/:interval DELETE management management 200 400 403 404 409
/v1/workspaces/:workspace_ref/budgets/:interval GET management management 200 400 403 404
/v1/workspaces/:workspace_ref/budgets/:interval PUT management management 200 400 403 404 409 413 415
`;
const concrete = (url: string) => url.replaceAll(/:\w+/g, 'x');

describe('the public surface', () => {
  test('is exactly this', async () => {
    const { routes } = await gatewayWorld();
    const found = routes.map(({ method, url, auth, isOrganizational, rate, statuses }) => {
      const organization = isOrganizational ? ['organization'] : [];
      const own = statuses.filter((status) => !statusesOfAll.includes(status));
      return [url, method, auth, ...organization, rate, ...own].join(' ');
    });
    deepEqual(found.toSorted(), surface.trim().split('\n').toSorted());
  });

  test('may fail everywhere with what can happen to any request', async () => {
    const { routes } = await gatewayWorld();
    for (const { statuses } of routes)
      for (const status of statusesOfAll) ok(statuses.includes(status));
  });

  test('belongs to resources that the audit and the description have a word for', async () => {
    const { routes } = await gatewayWorld();
    for (const { url } of routes) notEqual(resourceOf(url).type, 'other', url);
  });

  test('has no two routes that clients would know by the same name', async () => {
    const { routes } = await gatewayWorld();
    const names = routes.map(({ operationId }) => operationId);
    deepEqual(names.length, new Set(names).size);
  });

  test('cannot get a route that does not say whom it serves and what it answers', async () => {
    const { dependencies } = await gatewayWorld();
    const { app } = buildApp(dependencies);
    const handler = async () => ({});
    const config = { auth: 'any', errors: [] } as const;
    const schema = { operationId: 'a', summary: 'a', response: { 200: Type.Object({}) } };
    const register = (route: object, url = '/v1/odd') =>
      app.route({ method: 'GET', url, handler, config, schema, ...route });
    doesNotThrow(() => register({}, '/v1/fine'));
    throws(() => app.get('/v1/open', handler), /GET \/v1\/open declares no auth/);
    const { errors, auth } = config;
    throws(() => register({ config: { errors, auth: 'everybody' } }), /declares no auth/);
    throws(() => register({ config: { auth } }), /declares no errors/);
    throws(() => register({ schema: { ...schema, summary: '' } }), /declares no summary/);
    throws(() => register({ schema: { ...schema, operationId: '' } }), /declares no operationId/);
    throws(() => register({ schema: { ...schema, response: {} } }), /declares no response/);
    throws(() => register({}, '/v1/odd/:id'), /declares no parameter id/);
    throws(() => register({ method: 'POST' }), /declares no body/);
    const open = Type.Object({});
    throws(() => register({ method: 'POST', schema: { ...schema, body: open } }), /of its body/);
    throws(() => register({ schema: { ...schema, querystring: open } }), /of its query/);
  });
});

describe('every route', () => {
  test('that is not public refuses a request without a key', async () => {
    const { request, routes } = await gatewayWorld();
    for (const { method, url, auth } of routes) {
      if (auth === 'public') continue;
      const { status, json } = await request(`${method} ${concrete(url)}`);
      equal(status, 401, url);
      deepEqual((json['error'] as { message: string }).message, 'Missing Authentication header');
    }
  });

  test('refuses a well-formed key that was never issued', async () => {
    const { request, routes } = await gatewayWorld({ settings: { authFailuresPerMinute: 1_000 } });
    for (const { method, url } of routes) {
      const key = mintApiKey('management', randomBytes);
      equal((await request(`${method} ${concrete(url)}`, { key })).status, 401, url);
    }
  });

  test('refuses the wrong kind of key before it looks at anything else', async () => {
    const { request, routes, regular, management } = await gatewayWorld();
    const keys = { management: regular().secret, inference: management().secret };
    for (const { method, url, auth } of routes) {
      if (auth !== 'management' && auth !== 'inference') continue;
      const { status, json } = await request(`${method} ${concrete(url)}`, {
        key: keys[auth],
        headers: { 'content-type': 'text/plain' },
        body: 'not json',
      });
      equal(status, 403, `${method} ${url}`);
      const message =
        auth === 'management'
          ? 'Only management keys can perform this operation'
          : 'Management keys cannot be used for inference';
      const error_type = 'permission_denied';
      const ofAnthropic = { type: 'permission_error', message, error_type };
      deepEqual(
        json,
        url.startsWith('/v1/messages')
          ? { type: 'error', error: ofAnthropic, request_id: null }
          : { error: { code: 403, message, metadata: { error_type } } },
      );
    }
  });

  test('that only organizations have does not exist for a personal account', async () => {
    const { request, routes, management } = await gatewayWorld();
    const key = management({ accountId: personalId }).secret;
    const organizational = routes.filter(({ isOrganizational }) => isOrganizational);
    notEqual(organizational.length, 0);
    for (const { method, url } of organizational) {
      const { status, json } = await request(`${method} ${concrete(url)}`, {
        key,
        body: 'no json',
      });
      equal(status, 404, `${method} ${url}`);
      deepEqual(json['error'], {
        code: 404,
        message: 'Resource not found',
        metadata: { error_type: 'not_found' },
      });
    }
  });

  test('answers a HEAD as its GET, without the body', async () => {
    const { request, routes, regular, management } = await gatewayWorld();
    const keys = { inference: regular().secret, management: management().secret };
    const shown = ({ headers, status }: Awaited<ReturnType<typeof request>>) => {
      const { date, 'x-request-id': _id, 'content-length': length, ...rest } = headers;
      return { status, length, ...rest, date: typeof date };
    };
    for (const { method, url, auth } of routes) {
      if (method !== 'GET') continue;
      const key = auth === 'inference' ? keys.inference : keys.management;
      const [got, head] = [
        await request(`GET ${concrete(url)}`, { key }),
        await request(`HEAD ${concrete(url)}`, { key }),
      ];
      deepEqual([shown(head), head.text], [shown(got), ''], url);
    }
  });
});
