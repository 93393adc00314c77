import { deepEqual, equal, ok, throws } from 'node:assert/strict';
import { parseAllowList } from '@sluice/egress';
import { Fault } from '@sluice/errors';
import { describe, test } from 'vitest';
import { checkedConfig, parseConfig } from './check-config.ts';

const targets = { allowList: parseAllowList('127.0.0.2:4318'), isHttpAllowed: false };

function refusal(url: string) {
  try {
    checkedConfig('webhook', { url }, targets);
  } catch (error) {
    ok(error instanceof Fault);
    ok(url === 'https://' || !error.message.includes(url));
    const { issues } = error.metadata as { issues: readonly { path: string }[] };
    return [error.code, ...issues.map(({ path }) => path)];
  }
  return undefined;
}

describe('the URL of a destination', () => {
  test.each([
    'https://hooks.example.com/a?b=c',
    'https://203.0.114.7/',
    'https://[2606:4700::1111]:8443/',
    'http://127.0.0.2:4318/v1/traces',
  ])('may be %s', (url) => equal(refusal(url), undefined));

  test.each([
    'http://hooks.example.com/',
    'http://127.0.0.2:4319/',
    'https://127.0.0.1/',
    'https://2130706433/',
    'https://0x7f.1/',
    'https://10.0.0.1/',
    'https://172.16.3.4/',
    'https://192.168.1.1/',
    'https://169.254.169.254/latest/meta-data',
    'https://168.63.129.16/',
    'https://100.64.0.1/',
    'https://0.0.0.0/',
    'https://[::1]/',
    'https://[fe80::1]/',
    'https://[fd00::1]/',
    'https://[::ffff:127.0.0.1]/',
    'https://[64:ff9b::7f00:1]/',
    'https://localhost/',
    'https://LOCALHOST./',
    'https://a.localhost:8443/',
    'https://metadata.google.internal/',
    'https://printer.local/',
    'https://user:pass@hooks.example.com/',
    'https://hooks.example.com:22/',
    'https://hooks.example.com:6000/',
    'https://',
    'https://a b/',
  ])('is not %s', (url) => deepEqual(refusal(url), ['invalid_request', 'config.url']));
});

describe('a config', () => {
  test('is an object of the fields of its type, with defaults', () => {
    for (const json of ['', '7', 'null', '[]', '"x"'])
      throws(() => parseConfig(json), { code: 'invalid_request' });
    const given = {
      host: 'https://ch.example.com:8443',
      database: 'd',
      username: 'u',
      password: 'p',
    };
    deepEqual(checkedConfig('clickhouse', given, targets), { ...given, table: 'SERVICE_TRACES' });
  });

  test('has a bound in bytes', () => {
    const headers = Object.fromEntries(
      Array.from({ length: 16 }, (_, index) => [`h${index}`, 'x'.repeat(4_000)]),
    );
    const config = { url: 'https://hooks.example.com/', headers };
    throws(() => checkedConfig('webhook', config, targets), /at most 32768 bytes/);
  });
});
