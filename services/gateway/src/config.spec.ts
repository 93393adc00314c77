import { deepEqual, equal, throws } from 'node:assert/strict';
import { InvalidConfig } from '@sluice/boot';
import { describe, test } from 'vitest';
import { loadGatewayConfig, loadGatewaySettings } from './config.ts';
import { defaultSettings } from './settings.ts';

const env = {
  SLUICE_NATS_URL: 'nats://127.0.0.1:4222',
  SLUICE_NATS_TOKEN: 'nats-token',
  SLUICE_RPC_TOKEN: 'rpc-token',
  SLUICE_ACCOUNT_ADDRESS: '127.0.0.1:1',
  SLUICE_KEY_ADDRESS: '127.0.0.1:2',
  SLUICE_GUARDRAIL_ADDRESS: '127.0.0.1:4',
  SLUICE_LEDGER_ADDRESS: '127.0.0.1:3',
  SLUICE_WORKSPACE_ADDRESS: '127.0.0.1:4',
  SLUICE_ROUTING_URL: 'http://127.0.0.1:4',
};

describe('the settings of the gateway', () => {
  test('are the defaults when nothing is said', () => {
    deepEqual({ ...defaultSettings, ...loadGatewayConfig(env).settings }, defaultSettings);
    equal(loadGatewayConfig(env).SLUICE_PORT, 8080);
  });

  test('come from the environment', () => {
    const settings = loadGatewaySettings({
      SLUICE_AUTH_FAILURES_PER_MINUTE: '5',
      SLUICE_TRUSTED_PROXIES: '10.0.0.0/8, 127.0.0.1',
    });
    equal(settings.authFailuresPerMinute, 5);
    deepEqual(settings.trustedProxies, ['10.0.0.0/8', '127.0.0.1']);
  });

  test.each([
    ['SLUICE_RPC_TOKEN', ''],
    ['SLUICE_ROUTING_URL', 'routing:80'],
    ['SLUICE_KEY_ADDRESS', 'key'],
    ['SLUICE_PORT', '70000'],
    ['SLUICE_INFERENCE_REQUESTS_PER_MINUTE', '0'],
    ['SLUICE_LOG_LEVEL', 'loud'],
  ])('refuse %s=%j, by name', (name, value) => {
    throws(
      () => loadGatewayConfig({ ...env, [name]: value }),
      (error) => error instanceof InvalidConfig && error.message.includes(name),
    );
  });

  test('show no token', () => {
    equal(/-token/.test(JSON.stringify(loadGatewayConfig(env))), false);
  });
});
