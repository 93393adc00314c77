import { deepEqual, equal, ok } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { completeConfig, configProblems, configUrls, maskConfig, mergeConfig } from './config.ts';
import { type AnyConfig, configSchemas, type DestinationType, destinationTypes } from './types.ts';

interface ShownField {
  readonly examples: readonly unknown[];
  readonly isSecret?: boolean;
}

const fieldsOf = (type: DestinationType) =>
  Object.entries(configSchemas[type].properties) as unknown as [string, ShownField][];
const exampleOf = (type: DestinationType): AnyConfig =>
  Object.fromEntries(fieldsOf(type).map(([name, { examples }]) => [name, examples[0]]));

const secret = 'a-secret-of-32-characters-length';
const webhook = { url: 'https://hooks.example.com/x', signingSecret: secret };

describe('the config of a destination', () => {
  test.each(destinationTypes)(
    'of %s takes its example, and nothing that it does not know',
    (type) => {
      const config = exampleOf(type);
      deepEqual(configProblems(type, config), []);
      deepEqual(configProblems(type, { ...config, other: 1 }), [
        { path: 'config.other', message: 'there is no such field' },
      ]);
    },
  );

  test.each(destinationTypes)('of %s needs each required field, with a text in it', (type) => {
    const { required } = configSchemas[type];
    for (const name of required) {
      const { [name]: _left, ...rest } = exampleOf(type);
      deepEqual(configProblems(type, rest), [{ path: `config.${name}`, message: 'is required' }]);
      for (const wrong of ['', 7, 'a\u0000b', '\ud800'])
        deepEqual(
          configProblems(type, { ...rest, [name]: wrong }).map(({ path }) => path),
          [`config.${name}`],
        );
    }
  });

  test('has the defaults of the fields that are left out', () => {
    deepEqual(completeConfig('webhook', webhook), { method: 'POST', ...webhook });
    deepEqual(completeConfig('clickhouse', { table: null }), { table: 'SERVICE_TRACES' });
    deepEqual(completeConfig('newrelic', { region: 'eu' }), { region: 'eu' });
  });

  test.each<[type: DestinationType, field: string, value: unknown]>([
    ['webhook', 'url', 'ftp://example.com'],
    ['webhook', 'method', 'GET'],
    ['newrelic', 'region', 'asia'],
    ['snowflake', 'account', 'account.evil.com/'],
    ['snowflake', 'table', 'T; DROP TABLE x'],
    ['clickhouse', 'table', 'a`b'],
    ['grafana', 'instanceId', '1:2'],
    ['s3', 'region', 'x@evil.example.com/'],
    ['s3', 'pathTemplate', '{prefix}/{secret}'],
    ['s3', 'pathTemplate', '{prefix'],
    ['sentry', 'dsn', 'https://sentry.example.com/7'],
    ['langsmith', 'apiKey', 'two words'],
  ])('of %s refuses a wrong %s', (type, field, value) => {
    const config = { ...exampleOf(type), [field]: value };
    deepEqual(
      configProblems(type, config).map(({ path }) => path),
      [`config.${field}`],
    );
  });

  test.each([
    { 'Content-Length': '1' },
    { Host: 'example.com' },
    { 'a b': '1' },
    { A: 'x\r\nB: y' },
    { A: 1 },
    ['A'],
    Object.fromEntries(Array.from({ length: 33 }, (_, index) => [`h${index}`, ''])),
    { A: '1', a: '2' },
  ])('refuses the headers %j', (headers) => {
    const [problem] = configProblems('webhook', { ...webhook, headers });
    ok(problem?.path.startsWith('config.headers'));
  });

  test('has the URLs that are called, with their paths', () => {
    deepEqual(configUrls('webhook', webhook), [{ path: 'config.url', url: webhook.url }]);
    deepEqual(configUrls('opik', exampleOf('opik')), []);
    deepEqual(
      configUrls('sentry', exampleOf('sentry')).map(({ path }) => path),
      ['config.otlpEndpoint'],
    );
  });
});

describe('a masked config', () => {
  test.each(destinationTypes)('of %s shows no secret', (type) => {
    const secrets = fieldsOf(type).filter(([, { isSecret }]) => isSecret);
    const hidden = Object.fromEntries(secrets.map(([name]) => [name, `${name}-${secret}`]));
    const config = { ...exampleOf(type), ...hidden, headers: { 'X-Token': secret } };
    const shown = JSON.stringify(maskConfig(type, config));
    ok(!shown.includes(secret));
    for (const [name] of fieldsOf(type)) ok(shown.includes(`"${name}"`));
  });

  test('shows the ends of long secrets only', () => {
    deepEqual(maskConfig('webhook', { ...webhook, headers: { A: 'short', B: secret } }), {
      ...webhook,
      signingSecret: 'a-s...ngth',
      headers: { A: '...', B: 'a-s...ngth' },
    });
  });
});

describe('a changed config', () => {
  const current = completeConfig('webhook', { ...webhook, headers: { A: 'short', B: secret } });

  test('keeps what is left out, and what comes back masked', () => {
    deepEqual(mergeConfig('webhook', current, {}), current);
    deepEqual(mergeConfig('webhook', current, maskConfig('webhook', current)), current);
    deepEqual(mergeConfig('webhook', current, { url: 'https://b.example.com' }), {
      ...current,
      url: 'https://b.example.com',
    });
  });

  test('has the new secret, and no field that became null', () => {
    const changed = mergeConfig('webhook', current, { signingSecret: 'new', headers: null });
    deepEqual(changed, { method: 'POST', url: webhook.url, signingSecret: 'new' });
    equal(
      mergeConfig('webhook', { ...current, method: 'PUT' }, { method: null })['method'],
      'POST',
    );
    const [problem] = configProblems('webhook', mergeConfig('webhook', current, { url: null }));
    deepEqual(problem, { path: 'config.url', message: 'is required' });
  });

  test('has the headers of the change, with the values that were masked', () => {
    const { headers } = mergeConfig('webhook', current, { headers: { b: 'a-s...ngth', C: '1' } });
    deepEqual(headers, { b: secret, C: '1' });
    const wrong = mergeConfig('webhook', current, { headers: ['A'] });
    deepEqual(configProblems('webhook', wrong)[0]?.path, 'config.headers');
  });
});
