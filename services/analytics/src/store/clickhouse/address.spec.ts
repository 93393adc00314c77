import { deepEqual, equal } from 'node:assert/strict';
import { inspect } from 'node:util';
import { describe, test } from 'vitest';
import { loadClickHouse } from '../../config.ts';
import { readAddress } from './address.ts';

describe('the address of ClickHouse', () => {
  test('is split into its parts, and does not show its password', () => {
    const address = readAddress('https://ada:p%40ss@clickhouse.example:8443/usage');
    deepEqual(
      [address?.url, address?.username, address?.password.reveal(), address?.database],
      ['https://clickhouse.example:8443', 'ada', 'p@ss', 'usage'],
    );
    equal(inspect(address).includes('p@ss'), false);
    const least = readAddress('http://localhost:8123');
    deepEqual(
      [least?.username, least?.password.reveal(), least?.database],
      ['default', '', 'sluice'],
    );
  });

  test.each([
    'postgres://localhost/usage',
    'localhost:8123',
    'http://localhost:8123/usage;DROP',
    'http://localhost:8123/a/b',
    'http://localhost:8123/usage?readonly=0',
    'http://localhost:8123/%75sage',
    'http://a:%ff@localhost:8123/usage',
  ])('is refused as %s', (text) => {
    equal(readAddress(text), undefined);
  });

  test('is a setting, without which there is no cluster', () => {
    const settingsOf = (env: Record<string, string>) => {
      try {
        return loadClickHouse(env)?.cluster ?? 'one server';
      } catch (error) {
        return String(error).slice(0, 60);
      }
    };
    equal(loadClickHouse({ SLUICE_ANALYTICS_URL: '' }), undefined);
    const url = 'http://localhost:8123';
    equal(settingsOf({ SLUICE_ANALYTICS_URL: url }), 'one server');
    equal(settingsOf({ SLUICE_ANALYTICS_URL: url, SLUICE_ANALYTICS_CLUSTER: 'main' }), 'main');
    for (const env of [
      { SLUICE_ANALYTICS_CLUSTER: 'main' },
      { SLUICE_ANALYTICS_URL: 'ftp://localhost' },
      { SLUICE_ANALYTICS_URL: url, SLUICE_ANALYTICS_CLUSTER: 'main)' },
    ])
      equal(settingsOf(env).startsWith('InvalidConfig: Settings: SLUICE_ANALYTICS_'), true);
  });
});
