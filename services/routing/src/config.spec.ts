import { deepEqual, equal, ok, rejects } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { catalogOf } from './config.ts';

const of = (env: Readonly<Record<string, string>>, at = '2026-11-21T12:00:00Z') =>
  catalogOf(env, { instant: new Date(at) });

describe('the catalogue of an environment', () => {
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
