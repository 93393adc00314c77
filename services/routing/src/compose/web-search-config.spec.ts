import { deepEqual, ok, throws } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { loadSearchEngines } from './web-search-config.ts';

const namesOf = (env: Readonly<Record<string, string>>) =>
  loadSearchEngines(env).map(({ name }) => name);
const simulator = { SLUICE_SIMULATOR_URL: 'http://127.0.0.1:7001/v1' };

describe('the search engines of an environment', () => {
  test('are those with a key, and SearXNG with its address', () => {
    deepEqual(namesOf({}), []);
    deepEqual(namesOf({ EXA_API_KEY: '', SLUICE_SEARXNG_URL: '' }), []);
    const keys = ['EXA', 'PARALLEL', 'FIRECRAWL', 'PERPLEXITY', 'TAVILY', 'BRAVE'];
    const env = Object.fromEntries(keys.map((name) => [`${name}_API_KEY`, 'key-0123456789']));
    const all = ['exa', 'parallel', 'firecrawl', 'perplexity', 'tavily', 'brave'];
    deepEqual(namesOf(env), all);
    deepEqual(namesOf({ ...env, SLUICE_SEARXNG_URL: 'http://searxng:8080' }), ['searxng', ...all]);
  });

  test('have the simulated web only if the simulator is alone, or wanted', () => {
    deepEqual(namesOf(simulator), ['simulator']);
    deepEqual(namesOf({ ...simulator, OPENAI_API_KEY: 'sk-1' }), []);
    deepEqual(namesOf({ ...simulator, SLUICE_CATALOG: 'a.yaml' }), []);
    deepEqual(namesOf({ ...simulator, OPENAI_API_KEY: 'sk-1', SLUICE_SIMULATOR: 'on' }), [
      'simulator',
    ]);
  });

  test.each([
    { SLUICE_SEARXNG_URL: 'searxng:8080' },
    { SLUICE_SEARXNG_URL: 'http://me:canary@searxng' },
    { EXA_BASE_URL: 'ftp://exa' },
    { SLUICE_WEB_SEARCH_TIMEOUT_MS: '5' },
    { EXA_API_KEY: 'canary\nkey' },
  ])('are refused with %j', (env) => {
    throws(
      () => loadSearchEngines(env),
      (error: Error) => {
        ok(!error.message.includes('canary'), error.message);
        return true;
      },
    );
  });
});
