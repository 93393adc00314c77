import { deepEqual } from 'node:assert/strict';
import { afterAll, beforeAll, describe, inject, test } from 'vitest';
import { testDatabase, type TestDatabase } from './testing.ts';

const url = inject('postgresUrl');
let database: TestDatabase;

beforeAll(async () => {
  database = await testDatabase({ url });
});
afterAll(() => database.drop());

/** Characters that mean something in the text of an array, and some that do not. */
const characters = ['"', '\\', ',', '{', '}', ' ', '\n', '\t', "'", 'NULL', 'null', 'a', 'ä', '😀'];

describe('a list that is a parameter', () => {
  test('of texts comes back as it was, whatever is in them', async () => {
    const pairs = characters.flatMap((first) => characters.map((second) => first + second));
    const texts = ['', ...characters, ...pairs, null];
    const rows = await database.query({ text: 'SELECT $1::text[] AS texts', values: [texts] });
    deepEqual(rows, [{ texts }]);
  });

  test('of plain texts, of whole numbers', async () => {
    const texts = ['a', '', 'a,b', '{}', 'NULL', "it's", 'ä'];
    const numbers = [0, -1, 32_767];
    const amounts = [0n, -1n, 2n ** 63n - 1n];
    const rows = await database.query({
      text: 'SELECT $1::text[] AS texts, $2::smallint[] AS numbers, $3::bigint[] AS amounts',
      values: [texts, numbers, amounts],
    });
    deepEqual(rows, [{ texts, numbers, amounts }]);
  });

  test('of booleans, of nothing, of JSON', async () => {
    const json = JSON.stringify({ text: 'a "quoted" \\ one', list: [1, null] });
    const rows = await database.query({
      text: 'SELECT $1::boolean[] AS truths, $2::text[] AS none, ($3::text[])[1]::jsonb AS json',
      values: [[true, false, null], [], [json]],
    });
    deepEqual(rows, [{ truths: [true, false, null], none: [], json: JSON.parse(json) as unknown }]);
  });
});
