import { parentPort, workerData } from 'node:worker_threads';
import type { ExportFormat } from '@sluice/analytics-model';
import type { Cell, Column } from '../../store/export-source.ts';
import { csvEncoder } from './csv.ts';
import { parquetEncoder } from './parquet.ts';

export interface Told {
  readonly format: ExportFormat;
  readonly columns: readonly Column[];
}

const { format, columns } = workerData as Told;
const encoder = format === 'parquet' ? parquetEncoder(columns) : csvEncoder(columns);

// A message has rows, or is null behind the last of them. Each is answered with bytes.
parentPort?.on('message', (rows: readonly (readonly Cell[])[] | null) => {
  const bytes = rows === null ? encoder.end() : encoder.add(rows);
  parentPort?.postMessage(bytes, []);
});
