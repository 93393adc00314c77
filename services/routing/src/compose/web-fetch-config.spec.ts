import { deepEqual, equal, throws } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { loadEgress } from './web-fetch-config.ts';

const simulator = { SLUICE_SIMULATOR_URL: 'http://127.0.0.1:7001/v1' };

describe('the way to servers that clients name', () => {
  test('leads to public addresses, and to those that the operator names', () => {
    const { allowList } = loadEgress({ SLUICE_EGRESS_ALLOW: '10.4.0.0/16' });
    equal(allowList?.permits('10.4.0.1', 443), true);
    equal(allowList?.permits('10.5.0.1', 443), false);
    equal(allowList?.permits('127.0.0.1', 80), false);
    equal(loadEgress({}).reroute, undefined);
  });

  test('leads to the simulated web only if the simulator is alone, or wanted', () => {
    const reroute = { hostEnd: '.corpus.example', host: '127.0.0.1', port: 7001 };
    deepEqual(loadEgress(simulator).reroute, reroute);
    equal(loadEgress({ ...simulator, OPENAI_API_KEY: 'sk-1' }).reroute, undefined);
    deepEqual(
      loadEgress({ ...simulator, OPENAI_API_KEY: 'sk-1', SLUICE_SIMULATOR: 'on' }).reroute,
      reroute,
    );
    equal(loadEgress(simulator).allowList?.permits('127.0.0.1', 7001), false);
  });

  test('is refused with an entry that is no range of addresses', () => {
    throws(() => loadEgress({ SLUICE_EGRESS_ALLOW: 'localhost' }), {
      name: 'InvalidConfig',
      message: /SLUICE_EGRESS_ALLOW: "localhost" must be an address/,
    });
  });
});
