import { deepEqual, equal, throws } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { loadKeyConfig, peppersOf } from './config.ts';

const env = {
  SLUICE_POSTGRES_URL: 'postgres://u:p@127.0.0.1:1/d',
  SLUICE_EVENTSTORE_URL: 'esdb://127.0.0.1:1?tls=false',
  SLUICE_NATS_URL: 'nats://127.0.0.1:1',
  SLUICE_NATS_TOKEN: 'a-nats-token',
  SLUICE_ACCOUNT_ADDRESS: '127.0.0.1:1',
  SLUICE_WORKSPACE_ADDRESS: '127.0.0.1:2',
  SLUICE_KEY_PEPPER: 'the pepper in use now, long enough',
  SLUICE_RPC_TOKEN: 'an-rpc-token',
};

describe('the settings of the key service', () => {
  test('have defaults for what needs none', () => {
    const config = loadKeyConfig(env);
    equal(config.SLUICE_RPC_ADDRESS, '127.0.0.1:0');
    deepEqual([...peppersOf(config).byVersion.keys()], [1]);
  });

  test('keep the pepper before the current one, under its own version', () => {
    const previous = 'the pepper in use before, long enough';
    const config = loadKeyConfig({
      ...env,
      SLUICE_KEY_PEPPER_VERSION: '3',
      SLUICE_KEY_PEPPER_PREVIOUS: previous,
    });
    const { currentVersion, byVersion } = peppersOf(config);
    equal(currentVersion, 3);
    equal(byVersion.get(3)?.reveal(), env.SLUICE_KEY_PEPPER);
    equal(byVersion.get(2)?.reveal(), previous);
  });

  test('show no secret when they are printed', () => {
    const printed = JSON.stringify(loadKeyConfig(env));
    for (const name of ['SLUICE_KEY_PEPPER', 'SLUICE_RPC_TOKEN', 'SLUICE_NATS_TOKEN'] as const)
      equal(printed.includes(env[name]), false, name);
  });

  test('are refused without a pepper, and with a short one', () => {
    throws(() => loadKeyConfig({ ...env, SLUICE_KEY_PEPPER: undefined }), /SLUICE_KEY_PEPPER/);
    throws(() => loadKeyConfig({ ...env, SLUICE_KEY_PEPPER: 'short' }), /SLUICE_KEY_PEPPER/);
  });
});
