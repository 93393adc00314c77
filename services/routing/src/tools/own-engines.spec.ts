import { deepEqual } from 'node:assert/strict';
import { test } from 'vitest';
import type { Credential } from '../credentials/credential.ts';
import { keyedEngines } from './own-engines.ts';

const own = (provider: string, more: Partial<Credential> = {}): Credential => ({
  id: `own-${provider}`,
  provider,
  secretId: 'secret',
  sortOrder: 0,
  isFallback: false,
  isRequired: false,
  isByokOnly: false,
  declaredZdr: undefined,
  models: undefined,
  keyHashes: undefined,
  userIds: undefined,
  ...more,
});
const hosted = ['exa', 'parallel', 'tavily'] as const;

test.each<[string, string, string | undefined, readonly Credential[], readonly string[]]>([
  ['the platform answers where there is no own key', 'auto', 'exa', [], ['exa']],
  ['nothing answers where there is neither', 'auto', undefined, [], []],
  ['an own key goes before the platform', 'exa', 'exa', [own('exa')], ['own-exa', 'exa']],
  [
    'an own key of any engine is used',
    'auto',
    'searxng',
    [own('tavily')],
    ['own-tavily', 'searxng'],
  ],
  [
    'the order of engines decides',
    'auto',
    undefined,
    [own('tavily'), own('exa')],
    ['own-exa', 'own-tavily'],
  ],
  ['an engine that is named alone answers', 'exa', 'exa', [own('tavily')], ['exa']],
  [
    'an own key of the named engine alone',
    'exa',
    'searxng',
    [own('exa'), own('tavily')],
    ['own-exa'],
  ],
  [
    'any other where the named one is not there',
    'parallel',
    'searxng',
    [own('exa')],
    ['own-exa', 'searxng'],
  ],
  [
    'a fallback key comes last',
    'exa',
    'exa',
    [own('exa', { isFallback: true })],
    ['exa', 'own-exa'],
  ],
  [
    'a required key takes the place of the platform',
    'exa',
    'exa',
    [own('exa', { isRequired: true })],
    ['own-exa'],
  ],
  [
    'a key for its provider alone, too',
    'auto',
    'exa',
    [own('exa', { isByokOnly: true })],
    ['own-exa'],
  ],
  ['keys of models are no engines', 'auto', undefined, [own('openai')], []],
])('%s', (_, asked, shared, credentials, expected) => {
  const engines = keyedEngines<string>({ asked, hosted, shared, own: credentials });
  deepEqual(
    engines.map(({ name, credential }) => credential?.id ?? name),
    expected,
  );
});

test('no more than three are tried', () => {
  const many = Array.from({ length: 9 }, (_, index) => own('exa', { id: String(index) }));
  const engines = keyedEngines<string>({ asked: 'exa', hosted, shared: 'exa', own: many });
  deepEqual(
    engines.map(({ credential }) => credential?.id),
    ['0', '1', '2'],
  );
});
