import { deepEqual, equal, ok, rejects, throws } from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'vitest';
import { catalogOf, loadModeration } from './config.ts';
import { loadProxy } from './proxy-config.ts';

const of = (env: Readonly<Record<string, string>>, at = '2026-11-21T12:00:00Z') =>
  catalogOf(env, { instant: new Date(at) });

describe('the catalog of an environment', () => {
  test('is empty where no provider is on', async () => {
    deepEqual((await of({})).listed, []);
  });

  test('has only the models of providers with a key', async () => {
    const { listed } = await of({ ANTHROPIC_API_KEY: 'sk-0123456789' });
    ok(listed.some(({ id }) => id === 'anthropic/claude-sonnet-4-5'));
    ok(listed.every(({ id }) => id.startsWith('anthropic/')));
    for (const { endpoints } of listed)
      for (const { endpoint, isByokOnly } of endpoints)
        deepEqual([endpoint.apiKey?.reveal(), isByokOnly], ['sk-0123456789', false]);
  });

  test('has the prices of its day', async () => {
    const priceAt = async (at: string) =>
      (await of({ GEMINI_API_KEY: 'key-0123456789' }, at)).find('google/gemini-3.6-flash')
        ?.endpoints[0]?.pricing.prompt;
    equal(await priceAt('2026-12-31T23:59:59Z'), '0.00000075');
    equal(await priceAt('2027-01-01T00:00:00Z'), '0.0000015');
  });

  test('is refused where a setting names a provider that there is not', async () => {
    await rejects(of({ SLUICE_BYOK_PROVIDERS: 'nobody' }), { name: 'InvalidCatalog' });
  });
});

describe('the moderation endpoint of an environment', () => {
  const url = 'https://moderation.example/v1';
  const key = 'sk-canary-123';

  test('is absent, or has its key as a secret', () => {
    equal(loadModeration({}), undefined);
    deepEqual(loadModeration({ SLUICE_MODERATION_URL: url }), {
      url,
      key: undefined,
      model: undefined,
    });
    const env = { SLUICE_MODERATION_URL: url, SLUICE_MODERATION_KEY: key };
    const endpoint = loadModeration({ ...env, SLUICE_MODERATION_MODEL: 'omni' });
    deepEqual([endpoint?.key?.reveal(), endpoint?.model], [key, 'omni']);
    ok(!JSON.stringify(endpoint).includes('canary'));
  });

  test('is refused without an address, or with a password in it', () => {
    for (const env of [
      { SLUICE_MODERATION_KEY: key },
      { SLUICE_MODERATION_MODEL: 'omni' },
      { SLUICE_MODERATION_URL: 'https://me:canary@moderation.example' },
      { SLUICE_MODERATION_URL: 'ftp://moderation.example' },
    ])
      throws(
        () => loadModeration(env),
        (error: Error) => error.name === 'InvalidConfig' && !error.message.includes('canary'),
      );
  });
});

describe('the proxy of an environment', () => {
  const url = 'http://me:canary@proxy.example:3128';

  test('is read from names in capitals and in small letters', () => {
    equal(loadProxy({ NO_PROXY: 'a' }), undefined);
    deepEqual(loadProxy({ HTTPS_PROXY: url, NO_PROXY: 'a,b' }), {
      httpProxy: undefined,
      httpsProxy: url,
      noProxy: 'a,b',
    });
    equal(loadProxy({ https_proxy: url, HTTPS_PROXY: 'http://other:1' })?.httpsProxy, url);
  });

  test('is refused if it is no address, without its password', () => {
    throws(
      () => loadProxy({ HTTPS_PROXY: 'socks5://me:canary@proxy.example' }),
      (error: Error) =>
        error.name === 'InvalidConfig' &&
        error.message.includes('HTTPS_PROXY') &&
        !error.message.includes('canary'),
    );
  });
});

describe('the certificates of a provider', () => {
  test('are read with the catalog, and a file without any is refused by its place', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sluice-catalog-'));
    try {
      const catalog = join(folder, 'catalog.yaml');
      const authority = join(folder, 'ca.pem');
      const row = `slug: own, name: Own, dialect: openai-chat, base_url: 'https://a', ca_file: ${authority}`;
      writeFileSync(
        catalog,
        `providers: [{ ${row} }]
models: [{ id: own/a, provider: own, upstream_model: a, pricing: { prompt: '1', completion: '1' } }]`,
      );
      const message = /providers\[0\]\.ca_file: .*ca\.pem is no readable file of certificates/;
      await rejects(of({ SLUICE_CATALOG: catalog }), { message });
      writeFileSync(authority, 'nothing');
      await rejects(of({ SLUICE_CATALOG: catalog }), { message });
      const pem = '-----BEGIN CERTIFICATE-----\nAA==\n-----END CERTIFICATE-----\n';
      writeFileSync(authority, pem);
      const { endpoint } =
        (await of({ SLUICE_CATALOG: catalog })).find('own/a')?.endpoints[0] ?? {};
      equal(endpoint?.authorities, pem);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
