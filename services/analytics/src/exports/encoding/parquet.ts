import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import type { Cell, Column, ColumnKind } from '../../store/export-source.ts';
import type { Encoder } from './encoder.ts';

type SchemaElement = ConstructorParameters<typeof ParquetWriter>[0]['schema'][number];

/** Readers skip groups of rows that a filter leaves out. Larger groups compress better and need more memory. */
const groupRowsMax = 10_000;

const kinds: Readonly<Record<ColumnKind, Omit<SchemaElement, 'name'>>> = {
  text: { type: 'BYTE_ARRAY', converted_type: 'UTF8', logical_type: { type: 'STRING' } },
  integer: { type: 'INT64' },
  number: { type: 'DOUBLE' },
  instant: {
    type: 'INT64',
    converted_type: 'TIMESTAMP_MILLIS',
    logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MILLIS' },
  },
};

/** Returns an encoder of Apache Parquet, compressed with Snappy. */
export function parquetEncoder(columns: readonly Column[]): Encoder {
  const writer = new ByteWriter();
  const file = new ParquetWriter({
    writer,
    schema: [
      { name: 'root', num_children: columns.length },
      ...columns.map(({ name, kind }) => ({
        name,
        repetition_type: 'OPTIONAL' as const,
        ...kinds[kind],
      })),
    ],
    createdBy: 'Sluice',
    kvMetadata: [{ key: 'sluice.nano_usd', value: 'Columns that end with _nano_usd are integers' }],
  });
  let group = columns.map((): unknown[] => []);
  let rowsOfGroup = 0;
  const writeGroup = () => {
    if (rowsOfGroup === 0) return;
    const columnData = columns.map(({ name }, at) => ({ name, data: group[at] ?? [] }));
    void file.write({ columnData, rowGroupSize: rowsOfGroup });
    group = columns.map(() => []);
    rowsOfGroup = 0;
  };
  const isInstant = columns.map(({ kind }) => kind === 'instant');
  return {
    add(rows) {
      for (const row of rows) {
        for (const [at, cells] of group.entries())
          cells.push(valueOf(row[at] ?? null, isInstant[at] ?? false));
        rowsOfGroup += 1;
        if (rowsOfGroup >= groupRowsMax) writeGroup();
      }
      return taken(writer);
    },
    end() {
      writeGroup();
      void file.finish();
      return taken(writer);
    },
  };
}

/** The library takes an absent value as undefined. */
function valueOf(cell: Cell, isInstant: boolean): unknown {
  if (cell === null) return undefined;
  return isInstant && typeof cell === 'number' ? BigInt(cell) : cell;
}

/** Returns the bytes that are written, and begins at the front of the buffer again. `offset` counts on. */
function taken(writer: ByteWriter): Uint8Array {
  const bytes = writer.getBytes().slice();
  writer.index = 0;
  return bytes;
}
