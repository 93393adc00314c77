import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, test } from 'vitest';
import { gatewayWorld } from '../../testing/gateway-world.ts';

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly tags: readonly string[];
  readonly security: readonly object[];
  readonly parameters?: readonly { readonly name: string; readonly in: string }[];
  readonly requestBody?: object;
  readonly responses: Readonly<Record<string, object>>;
}
type Paths = Readonly<Record<string, Readonly<Record<string, Operation>>>>;

async function described() {
  const world = await gatewayWorld();
  const { status, json, headers } = await world.request('GET /openapi.json');
  equal(status, 200);
  return { ...world, document: json, headers, paths: json['paths'] as Paths };
}

test.each(['/', '/v1'])('GET and HEAD %s answer without a key', async (url) => {
  const { request } = await gatewayWorld();
  const { status, json } = await request(`GET ${url}`);
  equal(status, 200);
  deepEqual(json, {
    name: 'Sluice',
    version: 'v1',
    api: '/v1',
    docs: '/docs',
    openapi: '/openapi.json',
  });
  equal((await request(`HEAD ${url}`)).status, 200);
});

describe('GET /openapi.json', () => {
  test('is a valid OpenAPI 3.1 document', async () => {
    const { document } = await described();
    equal(document['openapi'], '3.1.0');
    const { valid, errors } = await new Validator().validate(document);
    ok(valid, JSON.stringify(errors));
  });

  test('describes every route that is built, its key, its parameters and all of its statuses', async () => {
    const { paths, routes } = await described();
    const security = {
      inference: ['apiKey'],
      management: ['managementKey'],
      any: ['apiKey', 'managementKey'],
      public: [undefined, 'apiKey', 'managementKey'],
    };
    const built = routes.filter(({ statuses }) => !statuses.includes(501));
    for (const { method, url, auth, statuses, operationId } of built) {
      const operation = paths[url.replaceAll(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()];
      ok(operation, `${method} ${url}`);
      equal(operation.operationId, operationId);
      equal(operation.tags.length, 1);
      deepEqual(Object.keys(operation.responses).map(Number), statuses);
      deepEqual(
        operation.security.map((one) => Object.keys(one)[0]),
        security[auth],
      );
      for (const [, name] of url.matchAll(/:(\w+)/g))
        ok(operation.parameters?.some((one) => one.in === 'path' && one.name === name));
    }
    const operations = Object.values(paths).flatMap((one) => Object.keys(one));
    equal(operations.length, built.length);
  });

  test('says what an error looks like, and what a 429 says beside it', async () => {
    const { document, paths } = await described();
    const { responses } = document['components'] as {
      responses: Record<string, { headers: object; content: Record<string, { example: object }> }>;
    };
    deepEqual(paths['/v1/keys']?.['get']?.responses['429'], {
      $ref: '#/components/responses/Error429',
    });
    deepEqual(Object.keys(responses['Error429']?.headers ?? {}), [
      'X-Request-Id',
      'Retry-After',
      'X-RateLimit-Limit',
      'X-RateLimit-Remaining',
      'X-RateLimit-Reset',
    ]);
    deepEqual(responses['Error401']?.content['application/json']?.example, {
      error: {
        code: 401,
        message: 'Missing Authentication header',
        metadata: { error_type: 'authentication' },
      },
    });
  });

  test('offers Idempotency-Key on each POST of the management plane, and nowhere else', async () => {
    const { paths, routes } = await described();
    for (const { method, url, auth, statuses } of routes) {
      const operation = paths[url.replaceAll(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()];
      if (statuses.includes(501)) continue;
      const offered = operation?.parameters?.filter(
        ({ name }) => name.toLowerCase() === 'idempotency-key',
      );
      equal(offered?.length ?? 0, method === 'POST' && auth === 'management' ? 1 : 0, url);
    }
  });

  test('needs no key, and refuses a bad one like every route', async () => {
    const { request } = await gatewayWorld();
    equal((await request('GET /openapi.json', { key: 'sk-sluice-v1-wrong' })).status, 401);
  });
});

describe('the reference page', () => {
  test('runs only what this server serves', async () => {
    const { request } = await gatewayWorld();
    const { status, headers, text } = await request('GET /docs');
    equal(status, 200);
    equal(headers['content-type'], 'text/html; charset=utf-8');
    equal(headers['x-content-type-options'], 'nosniff');
    const policy = String(headers['content-security-policy']);
    match(policy, /^default-src 'none'; script-src 'self'; style-src 'self';/);
    ok(!policy.includes('unsafe') && !policy.includes('http'));
    ok(!text.includes('//'), 'nothing from elsewhere');
    equal(/<script(?! src=)|<style| style=| on\w+=/.exec(text), null);
  });

  test('finds each of its files', async () => {
    const { request } = await gatewayWorld();
    const { text } = await request('GET /docs');
    const files = [...text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, file]) => file);
    deepEqual(files, ['docs/swagger-ui.css', 'docs/swagger-ui-bundle.js', 'docs/page.js']);
    for (const file of files) {
      const { status, headers, text: content } = await request(`GET /${file}`);
      equal(status, 200);
      match(String(headers['content-type']), file?.endsWith('.js') ? /javascript/ : /css/);
      ok(content.length > 100);
    }
    match((await request('GET /docs/page.js')).text, /url: 'openapi.json'/);
  });

  test('serves no other file', async () => {
    const { request } = await gatewayWorld();
    for (const file of ['index.html', '..%2Fpackage.json', 'swagger-ui.js.map', '__proto__'])
      equal((await request(`GET /docs/${file}`)).status, 404, file);
  });
});
