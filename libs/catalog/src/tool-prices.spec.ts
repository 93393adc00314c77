import { deepEqual, equal, match, throws } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { loadCatalog } from './load-catalog.ts';
import { toolCostNanoUsd, toolPricesOf, toolWorstNanoUsd } from './tool-prices.ts';

const tool = 'service:web_search';
const load = (file?: string) =>
  loadCatalog({ simulatorUrl: undefined, file, settings: () => undefined }).toolPrices;

const milliUsd = 1_000_000n;

describe('the prices of server tools', () => {
  test('are those that the engines publish, by mode', () => {
    const prices = toolPricesOf();
    const callOf = (engine: string, mode?: string) =>
      prices.find({ tool, engine, mode })?.callNanoUsd;
    deepEqual(
      [
        callOf('exa'),
        callOf('exa', 'fast'),
        callOf('exa', 'deep'),
        callOf('exa', 'deep-reasoning'),
      ],
      [7n * milliUsd, 7n * milliUsd, 12n * milliUsd, 15n * milliUsd],
    );
    deepEqual(
      [callOf('parallel'), callOf('parallel', 'turbo'), callOf('parallel', 'advanced')],
      [5n * milliUsd, 1n * milliUsd, 5n * milliUsd],
    );
    deepEqual([callOf('searxng'), callOf('native')], [0n, 0n]);
  });

  test('are not known of an engine without a row', () => {
    equal(toolPricesOf().find({ tool, engine: 'gopher' }), undefined);
    equal(toolPricesOf().find({ tool: 'service:datetime', engine: '' }), undefined);
  });

  test('grow with results beyond those that are included, and with begun seconds', () => {
    const exa = toolPricesOf().find({ tool, engine: 'exa' });
    if (!exa) throw new Error('exa has a price');
    equal(toolCostNanoUsd(exa, { searches: 1, searchResults: 10 }), 7n * milliUsd);
    equal(toolCostNanoUsd(exa, { searches: 1, searchResults: 12 }), 9n * milliUsd);
    equal(toolWorstNanoUsd(exa, { results: 25 }), 22n * milliUsd);
    const second = { ...exa, callNanoUsd: 0n, secondNanoUsd: 3n };
    equal(toolCostNanoUsd(second, { seconds: 1.2 }), 6n);
  });

  test('are those of the catalog file where it has them', () => {
    const prices = load(`tool_prices:
      - { tool: 'service:web_search', engine: exa, call: '0.5' }
      - { tool: 'service:web_search', engine: exa, modes: [deep], call: '0.6' }
      - { tool: 'service:shell', second: '0.000000000000000001' }`);
    const found = (engine: string, mode?: string) => prices.find({ tool, engine, mode });
    equal(found('exa')?.callNanoUsd, 500n * milliUsd);
    equal(found('exa', 'deep')?.callNanoUsd, 600n * milliUsd);
    equal(found('exa', 'deep-reasoning')?.callNanoUsd, 15n * milliUsd);
    equal(found('exa')?.resultNanoUsd, 0n);
    equal(found('parallel')?.callNanoUsd, 5n * milliUsd);
    // A hold covers a price that is no whole nano-USD.
    equal(prices.find({ tool: 'service:shell', engine: '' })?.secondNanoUsd, 1n);
  });

  test.each([
    ["tool_prices: [{ tool: web_search, call: '1' }]", /tool_prices\[0\]\.tool/],
    ["tool_prices: [{ tool: 'service:shell', call: '-1' }]", /tool_prices\[0\]\.call/],
    ["tool_prices: [{ tool: 'service:shell', price: '1' }]", /tool_prices\[0\]/],
    ["tool_prices: [{ tool: 'service:shell', call: 1 }]", /tool_prices\[0\]\.call/],
  ])('are refused with their place: %s', (file, place) => {
    throws(
      () => load(file),
      (error: Error) => (match(error.message, place), true),
    );
  });
});
