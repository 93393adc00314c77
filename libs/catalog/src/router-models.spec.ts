import { deepEqual, throws } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { loadCatalog } from './load-catalog.ts';

const load = (routers: string) =>
  loadCatalog({
    simulatorUrl: 'http://127.0.0.1:1/v1',
    file: `routers: ${routers}`,
    settings: () => undefined,
  }).routers;

describe('the models of routers in the catalog file', () => {
  test('are those that the operator names', () => {
    deepEqual(load('{}'), { judge: undefined, switchyard: undefined, pool: [] });
    deepEqual(
      load(`
  judge: sim/echo
  switchyard: { efficient: sim/echo, capable: sim/reasoning }
  jev:
    - { model: sim/echo, cost_tier: house }
    - { model: sim/reasoning, cost_tier: high, efforts: [high, low] }`),
      {
        judge: 'sim/echo',
        switchyard: { efficient: 'sim/echo', capable: 'sim/reasoning' },
        pool: [
          { model: 'sim/echo', costTier: 'house', efforts: [] },
          { model: 'sim/reasoning', costTier: 'high', efforts: ['high', 'low'] },
        ],
      },
    );
  });

  test.each([
    ['{ judge: no/such }', /routers\.judge: there is no model no\/such/],
    [
      '{ switchyard: { efficient: sim/echo, capable: no/such } }',
      /routers\.switchyard\.capable: there is no model no\/such/,
    ],
    ['{ switchyard: { efficient: sim/echo } }', /routers\.switchyard/],
    ['{ jev: [] }', /routers\.jev/],
    ['{ jev: [{ model: no/such, cost_tier: low }] }', /routers\.jev\[0\]\.model: there is no/],
    ['{ jev: [{ model: sim/echo, cost_tier: Low }] }', /routers\.jev\[0\]\.cost_tier/],
    ['{ jev: [{ model: sim/echo, cost_tier: low, efforts: [huge] }] }', /efforts\[0\]/],
    ['{ judge: sim/echo, other: 1 }', /routers\.other: there is no such field/],
  ])('are refused by their place: %s', (routers, message) => {
    throws(() => load(routers), message);
  });
});
