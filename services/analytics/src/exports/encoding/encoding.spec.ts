import { deepEqual, equal, rejects } from 'node:assert/strict';
import { parquetMetadata, parquetReadObjects } from 'hyparquet';
import { describe, test } from 'vitest';
import type { ExportFormat } from '@sluice/analytics-model';
import type { Cell, Column } from '../../store/export-source.ts';
import { encodeAside } from './encode-aside.ts';

const columns: readonly Column[] = [
  { name: 'day', kind: 'instant' },
  { name: 'model', kind: 'text' },
  { name: 'credits_nano_usd', kind: 'integer' },
  { name: 'p99_latency', kind: 'number' },
];

const day = Date.parse('2026-11-18T00:00:00.000Z');
const most = 9_223_372_036_854_775_807n;

async function fileOf(format: ExportFormat, pages: readonly (readonly (readonly Cell[])[])[]) {
  async function* given() {
    for (const page of pages) yield await Promise.resolve(page);
  }
  return Buffer.concat(await Array.fromAsync(encodeAside({ columns, pages: given() }, format)));
}

const arrayBufferOf = (file: Buffer) =>
  file.buffer.slice(file.byteOffset, file.byteOffset + file.byteLength) as ArrayBuffer;

const rowsOf = async (file: Buffer) => await parquetReadObjects({ file: arrayBufferOf(file) });

describe('Parquet', () => {
  test('has each value as it was: another reader says so', async () => {
    const texts = ["'; DROP", '"', '\u{1F600}', '=1+1', 'a,b\nc', '', 'ä'.repeat(512)];
    const page = texts.map((text, at) => [day + at, text, most - BigInt(at), at / 3]);
    const file = await fileOf('parquet', [page, [[null, null, null, null]], [[0, 'x', -1n, 0]]]);
    deepEqual(
      (await rowsOf(file)).map((row) => Object.values(row)),
      [
        ...texts.map((text, at) => [new Date(day + at), text, most - BigInt(at), at / 3]),
        [null, null, null, null],
        [new Date(0), 'x', -1n, 0],
      ],
    );
  });

  test('has the names and types of its columns, also without a row', async () => {
    const file = await fileOf('parquet', []);
    const { schema, num_rows: rows } = parquetMetadata(arrayBufferOf(file));
    equal(rows, 0n);
    deepEqual(
      schema.slice(1).map(({ name, type, converted_type: converted }) => [name, type, converted]),
      [
        ['day', 'INT64', 'TIMESTAMP_MILLIS'],
        ['model', 'BYTE_ARRAY', 'UTF8'],
        ['credits_nano_usd', 'INT64', undefined],
        ['p99_latency', 'DOUBLE', undefined],
      ],
    );
    deepEqual(await rowsOf(file), []);
  });

  test('has several groups of rows', async () => {
    const page = (from: number) =>
      Array.from({ length: 250 }, (_, at) => [day, `m${at % 7}`, BigInt(from + at), null]);
    const file = await fileOf(
      'parquet',
      Array.from({ length: 90 }, (_, at) => page(at * 250)),
    );
    const { row_groups: groups } = parquetMetadata(arrayBufferOf(file));
    deepEqual(
      groups.map(({ num_rows: rows }) => rows),
      [10_000n, 10_000n, 2_500n],
    );
    const sums = (await rowsOf(file)).map((row) => row['credits_nano_usd'] as bigint);
    deepEqual(
      sums,
      Array.from({ length: 22_500 }, (_, at) => BigInt(at)),
    );
  });
});

describe('CSV', () => {
  test('is quoted, has integers with all digits, and no formula', async () => {
    const file = await fileOf('csv', [
      [[day, 'sim/echo', most, 0.1]],
      [
        [day, 'a "b", c\nd', null, null],
        [null, '=HYPERLINK("x")', -1n, 1e21],
      ],
    ]);
    equal(
      file.toString(),
      'day,model,credits_nano_usd,p99_latency\n' +
        '2026-11-18T00:00:00.000Z,sim/echo,9223372036854775807,0.1\n' +
        '2026-11-18T00:00:00.000Z,"a ""b"", c\nd",,\n' +
        `,"'=HYPERLINK(""x"")",-1,1e+21\n`,
    );
  });

  test('has its names also without a row', async () => {
    equal((await fileOf('csv', [])).toString(), 'day,model,credits_nano_usd,p99_latency\n');
  });
});

test('the error of the rows ends the file', async () => {
  async function* broken() {
    yield await Promise.resolve([[day, 'x', 1n, 1]] as const);
    throw new Error('the database is away');
  }
  for (const format of ['parquet', 'csv'] as const)
    await rejects(
      Array.fromAsync(encodeAside({ columns, pages: broken() }, format)),
      /the database is away/,
    );
});
