import { deepEqual } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { misnumberedMigrations } from './migrations.ts';
import { trackedFiles } from './source.ts';

const inService = (service: string, ...names: string[]) =>
  names.map((name) => `services/${service}/src/migrations/${name}.sql`);

describe('the migrations of a service', () => {
  test('are numbered from 1, each number once', () => {
    deepEqual(misnumberedMigrations(trackedFiles()), []);
  });

  test.each([
    ['two of the same number', ['0001_a', '0002_b', '0002_c', '0003_d'], '0002_c', 3],
    ['a number that is skipped', ['0001_a', '0003_b'], '0003_b', 2],
    ['a name without a number', ['0001_a', 'b'], 'b', 2],
  ])('are found with %s', (_kind, names, found, expected) => {
    const files = [...inService('other', '0001_a', '0002_b'), ...inService('one', ...names)];
    deepEqual(misnumberedMigrations(files), [
      `services/one/src/migrations/${found}.sql: expected number ${expected}`,
    ]);
  });
});
