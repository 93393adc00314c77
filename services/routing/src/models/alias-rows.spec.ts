import { deepEqual, equal } from 'node:assert/strict';
import { createCatalog } from '@sluice/catalog';
import { sampleModel } from '@sluice/catalog/testing';
import { Fault } from '@sluice/errors';
import { test } from 'vitest';
import type { Policy } from '../policy/policy.ts';
import { somebody } from '../testing/routing-harness.ts';
import { aliasesOf, aliasOf, aliasRows } from './alias-rows.ts';
import { modelView } from './model-view.ts';

const [small, large] = [
  sampleModel('a/small', { contextLength: 1_000 }),
  sampleModel('a/large', { contextLength: 9_000 }),
];
const catalog = createCatalog([small, large], []);
const models = [small, large];
const alias = (name: string, ...of: readonly string[]) => ({ name, version: 1, models: of });

test('an alias is a row that can do what one of its models can, at a price that varies', () => {
  const [row] = aliasRows([alias('team/both', 'a/small', 'a/large:nitro')], models, catalog);
  const view = modelView(row ?? small) as unknown as Record<string, unknown>;
  equal(view['id'], 'team/both');
  deepEqual(view['pricing'], { prompt: '-1', completion: '-1' });
  equal(view['context_length'], 9_000);
});

test('an alias of no listed model, or with the name of one, has no row', () => {
  const rows = aliasRows(
    [alias('team/gone', 'a/gone'), alias('a/small', 'a/large'), alias('team/auto', 'service/auto')],
    models,
    catalog,
  );
  deepEqual(
    rows.map(({ id }) => id),
    ['team/auto'],
  );
});

test('a key sees the aliases of its workspace, and the models while they are not known', async () => {
  const aliases = new Map([['team/one', alias('team/one', 'a/small')]]);
  const policies = { find: () => ({ aliases }) as unknown as Policy };
  const known = { catalog, policies };
  equal((await aliasesOf(known, undefined, models)).length, 0);
  equal((await aliasesOf(known, somebody, models)).length, 1);
  equal((await aliasOf(known, somebody, { name: 'team/one', models }))?.id, 'team/one');
  equal(await aliasOf(known, somebody, { name: 'team/two', models }), undefined);
  const away = { find: () => Promise.reject(new Fault('unavailable')) };
  equal((await aliasesOf({ catalog, policies: away }, somebody, models)).length, 0);
});
