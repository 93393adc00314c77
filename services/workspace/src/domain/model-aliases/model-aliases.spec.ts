import { deepEqual } from 'node:assert/strict';
import { specification } from '@sluice/es/testing';
import { describe, test } from 'vitest';
import type { DeleteModelAlias, SetModelAlias } from './commands.ts';
import { aliasesMax, modelAliases } from './decide.ts';
import type { ModelAliasesEvent, ModelAliasSet } from './events.ts';
import { aliasesIn, evolve, initial } from './state.ts';

const { given } = specification(modelAliases);
const occurredAt = '2026-01-02T03:04:05.678Z';
const of = { accountId: 'org_1', workspaceId: null, name: 'team/default' };
const values = { models: ['a/b', 'a/c:nitro'], budgetModel: 'a/small', description: null };
const set = (more: Partial<SetModelAlias> = {}): SetModelAlias => {
  return {
    type: 'SetModelAlias',
    ...of,
    aliasId: 'alias-1',
    ...values,
    occurredAt,
    ...more,
  };
};
const isSet = (more: Partial<ModelAliasSet['data']> = {}): ModelAliasesEvent => {
  const data = { ...of, aliasId: 'alias-1', ...values, version: 1 };
  return { type: 'ModelAliasSet', data: { ...data, changedAt: occurredAt, ...more } };
};
const remove = (more: Partial<DeleteModelAlias> = {}): DeleteModelAlias => {
  return { type: 'DeleteModelAlias', ...of, occurredAt, ...more };
};

describe('an alias', () => {
  test('is made', () => given().when(set()).then(isSet()));
  test('that says the same changes nothing', () => given(isSet()).when(set()).thenNothing());
  test('keeps its id and gets a version with each change', () =>
    given(isSet())
      .when(set({ aliasId: 'alias-2', models: ['a/c'] }))
      .then(isSet({ models: ['a/c'], version: 2 })));
  test('may have the name of another one in a workspace', () =>
    given(isSet())
      .when(set({ aliasId: 'alias-2', workspaceId: 'w1' }))
      .then(isSet({ aliasId: 'alias-2', workspaceId: 'w1' })));
  test('is deleted', () =>
    given(isSet())
      .when(remove())
      .then({
        type: 'ModelAliasDeleted',
        data: { ...of, aliasId: 'alias-1', changedAt: occurredAt },
      }));
  test('that is not there is not found', () =>
    given(isSet())
      .when(remove({ workspaceId: 'w1' }))
      .thenRejected('not_found'));
  test('goes with its workspace, and no other one does', () => {
    const own = { aliasId: 'alias-2', workspaceId: 'w1' };
    given(isSet(), isSet(own))
      .when({ type: 'ClearModelAliases', accountId: 'org_1', workspaceId: 'w1', occurredAt })
      .then({ type: 'ModelAliasDeleted', data: { ...of, ...own, changedAt: occurredAt } });
  });
  test('is refused where there are as many as may be', () => {
    const all = Array.from({ length: aliasesMax }, (_, index) => isSet({ name: `team/n${index}` }));
    given(...all)
      .when(set())
      .thenRejected('conflict');
    given(...all)
      .when(set({ name: 'team/n7', models: ['a/c'] }))
      .then(isSet({ name: 'team/n7', models: ['a/c'], version: 2 }));
  });
});

describe('a value of an alias is refused by its place:', () => {
  test.each<[string, Partial<SetModelAlias>]>([
    ['name', { name: 'default' }],
    ['name', { name: 'Team/default' }],
    ['name', { name: 'team/default:nitro' }],
    ['name', { name: 'service/auto' }],
    ['name', { name: 'team/default@preset/x' }],
    ['models', { models: [] }],
    ['models', { models: Array.from({ length: 9 }, (_, index) => `a/b${index}`) }],
    ['models.1', { models: ['a/b', ''] }],
    ['models.1', { models: ['a/b', 'a/b'] }],
    ['models.0', { models: ['a/b@preset/x'] }],
    ['budget_model', { budgetModel: 'a b' }],
    ['budget_model', { budgetModel: 'a/b' }],
    ['description', { description: 'x'.repeat(501) }],
  ])('%s', (path, more) => {
    const outcome = modelAliases.decide(set(more), initial);
    const { metadata } = outcome as { metadata?: { issues?: readonly { path: string }[] } };
    deepEqual(
      metadata?.issues?.map((issue) => issue.path),
      [path],
    );
  });
});

describe('aliases never name each other:', () => {
  const other = isSet({ name: 'team/other', models: ['a/d'], budgetModel: null });
  test('an alias itself', () =>
    given()
      .when(set({ models: ['team/default:nitro'] }))
      .thenRejected('invalid_request'));
  test('an alias that is there', () =>
    given(other)
      .when(set({ models: ['a/b', 'team/other:floor'] }))
      .thenRejected('invalid_request'));
  test('an alias that is there, for when the budget is used up', () =>
    given(other)
      .when(set({ budgetModel: 'team/other' }))
      .thenRejected('invalid_request'));
  test('a new alias whose name an alias has among its models', () =>
    given(isSet({ models: ['team/other'] }))
      .when(set({ name: 'team/other', models: ['a/d'] }))
      .thenRejected('invalid_request'));
});

test('in a workspace its own aliases stand before those of the account', () => {
  const state = [
    isSet({ models: ['a/account'] }),
    isSet({ name: 'team/all' }),
    isSet({ workspaceId: 'w1', models: ['a/own'] }),
    isSet({ workspaceId: 'w2', models: ['a/other'] }),
  ].reduce(evolve, initial);
  const shown = (workspaceId: string) =>
    aliasesIn(state, workspaceId).map(({ name, models }) => `${name} ${models[0]}`);
  deepEqual(shown('w1'), ['team/default a/own', 'team/all a/b']);
  deepEqual(shown('w3'), ['team/default a/account', 'team/all a/b']);
});
