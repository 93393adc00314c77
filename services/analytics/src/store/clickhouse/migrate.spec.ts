import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { join } from 'node:path';
import { dimensionNames, measureNames, measures } from '@sluice/analytics-model';
import { readMigrations } from '@sluice/read-model';
import { describe, test } from 'vitest';
import { rollups } from '../tables.ts';
import { dimensionColumns } from '../tables.ts';
import { changeColumns, factColumns, sketchColumns } from './columns.ts';
import { statementsOf } from './migrate.ts';

const migrations = await readMigrations(join(import.meta.dirname, 'migrations'));
const oneServer = { database: 'sluice', cluster: undefined };
const cluster = { database: 'sluice', cluster: 'main' };

const all = (layout: typeof oneServer | typeof cluster) =>
  migrations.flatMap(({ text }) => statementsOf(text, layout));

describe('the migrations of ClickHouse', () => {
  test('may run again, each statement of them', () => {
    for (const statement of [...all(oneServer), ...all(cluster)])
      match(
        statement,
        /^(?:CREATE TABLE IF NOT EXISTS|ALTER TABLE \w+ .*(?:ADD|DROP) COLUMN IF (?:NOT )?EXISTS)/,
      );
  });

  test('have no mark left, and no cluster on one server', () => {
    const text = all(oneServer).join('\n');
    equal(/[{}]|CLUSTER|Replicated|Distributed|_local/.test(text), false);
    equal(/\{|\}/.test(all(cluster).join('\n')), false);
  });

  test('spread each table over the shards of a cluster, by the account where it has one', () => {
    const statements = all(cluster);
    const local = statements.flatMap(
      (one) => /EXISTS (\w+)_local ON CLUSTER main \(/.exec(one)?.[1] ?? [],
    );
    const spread = statements.flatMap(
      (one) => /^CREATE TABLE IF NOT EXISTS (\w+) ON CLUSTER main AS/.exec(one)?.[1] ?? [],
    );
    deepEqual(spread, local);
    ok(local.length >= 8);
    for (const table of local) {
      const own = statements.find((one) => one.includes(` ${table}_local ON CLUSTER`)) ?? '';
      match(own, /ENGINE = Replicated/);
      const over = statements.find((one) => one.includes(` ${table} ON CLUSTER`)) ?? '';
      const key = / account_id String/.test(own) ? 'cityHash64(account_id)' : undefined;
      if (key !== undefined) ok(over.endsWith(`Distributed(main, sluice, ${table}_local, ${key})`));
    }
  });

  test('make a column for each dimension and each measure, of the type that its table needs', () => {
    const columnsOf = (table: string) => {
      const made =
        all(oneServer).find((one) => one.startsWith(`CREATE TABLE IF NOT EXISTS ${table} `)) ?? '';
      const added = all(oneServer).filter((one) => one.startsWith(`ALTER TABLE ${table} `));
      const columns = [
        ...made.matchAll(/^ {2}(\w+) ([\w()]+)/gm),
        ...added.flatMap((one) => [...one.matchAll(/ADD COLUMN IF NOT EXISTS (\w+) ([\w()]+)/g)]),
      ];
      return new Map(columns.map(([, name, type]) => [name, type]));
    };
    const typeOf = (name: (typeof measureNames)[number]) =>
      measures[name].optional ? 'Nullable(Int64)' : 'Int64';
    for (const { table, dimensions, hasSketches } of rollups) {
      const columns = columnsOf(table);
      for (const name of measureNames) equal(columns.get(name), typeOf(name), `${table}.${name}`);
      for (const name of dimensionNames)
        equal(columns.has(dimensionColumns[name]), dimensions.includes(name), `${table}.${name}`);
      for (const { bins, counts } of hasSketches ? sketchColumns : [])
        ok(columns.has(bins) && columns.has(counts));
    }
    deepEqual(new Set(columnsOf('facts').keys()), new Set(factColumns));
    deepEqual(new Set(columnsOf('superseded').keys()), new Set(factColumns));
    deepEqual(new Set(columnsOf('late_changes').keys()), new Set(changeColumns));
  });
});
