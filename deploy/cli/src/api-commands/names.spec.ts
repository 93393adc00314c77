import { deepEqual } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { knownApiCommands } from './known.ts';
import { columnsOf, commandNames, rowsOf } from './names.ts';

/** Commands that people type: a change of the API's paths must not rename them. */
const typed = [
  'activity list',
  'analytics export',
  'analytics exports list',
  'analytics exports show',
  'analytics meta',
  'analytics query',
  'byok create',
  'byok delete',
  'byok list',
  'byok show',
  'byok update',
  'credits balance',
  'end-users delete',
  'end-users list',
  'end-users register',
  'end-users show',
  'end-users update',
  'generation content',
  'generation feedback',
  'generation show',
  'guardrails allowed-phrases list',
  'guardrails allowed-phrases set',
  'guardrails assign-keys',
  'guardrails assign-members',
  'guardrails assignments keys',
  'guardrails assignments keys-of',
  'guardrails assignments members',
  'guardrails assignments members-of',
  'guardrails create',
  'guardrails delete',
  'guardrails list',
  'guardrails show',
  'guardrails test',
  'guardrails unassign-keys',
  'guardrails unassign-members',
  'guardrails unsupported-features set',
  'guardrails unsupported-features show',
  'guardrails update',
  'key show',
  'keys create',
  'keys delete',
  'keys list',
  'keys show',
  'keys update',
  'models count',
  'models embeddings',
  'models endpoints',
  'models get',
  'models list',
  'models usable',
  'models zdr',
  'organization members',
  'organization set',
  'organization settings',
  'proofs budget',
  'proofs conservation',
  'providers list',
  'responses create',
  'scim groups',
  'scim mappings create',
  'scim mappings delete',
  'scim mappings list',
  'scim mappings show',
  'scim mappings update',
  'scim sync show',
  'scim sync start',
  'workspaces budgets delete',
  'workspaces budgets list',
  'workspaces budgets set',
  'workspaces budgets show',
  'workspaces create',
  'workspaces delete',
  'workspaces list',
  'workspaces members add',
  'workspaces members list',
  'workspaces members remove',
  'workspaces show',
  'workspaces update',
];
/** Groups that mean one of their commands. */
const short = [
  'activity',
  'guardrails allowed-phrases',
  'guardrails unsupported-features',
  'key',
  'providers',
];

describe('the commands that people type', () => {
  test('stay', () => {
    const groupOf = (words: string) => words.slice(0, words.lastIndexOf(' '));
    const known = knownApiCommands.flatMap(({ words, isDefault }) =>
      isDefault ? [words, groupOf(words)] : [words],
    );
    deepEqual(
      [...typed, ...short].filter((words) => !known.includes(words)),
      [],
    );
  });
});

describe('the names that the description does not give', () => {
  test('are of operations that there are', () => {
    const operations = knownApiCommands.map(({ operationId }) => operationId);
    // The others are names of schemas.
    const columns = Object.keys(columnsOf).filter((name) => /^[a-z]/.test(name));
    const named = [...Object.keys(commandNames), ...Object.keys(rowsOf), ...columns];
    deepEqual(
      named.filter((name) => !operations.includes(name)),
      [],
    );
  });
});
