import { type ExportRequest, exportBounds, parseExport } from '@sluice/analytics-model';
import type { ExportRows, ExportSource } from '../store/export-source.ts';
import { ExportFailed, type ExportJob } from './export-job.ts';

export interface RowReader {
  readonly source: ExportSource;
  /** Told before the last byte is sent. Throws if another process has the job. */
  readonly onRows: (rows: number, warnings: readonly string[]) => Promise<void>;
  readonly signal: AbortSignal;
}

/** Opens the rows of an export. Their pages throw ExportFailed where they are too many. */
export async function openRows(
  job: ExportJob,
  { source, onRows, signal }: RowReader,
): Promise<{ readonly request: ExportRequest; readonly rows: ExportRows }> {
  const parsed = parseExport(job.asked, job.askedAt);
  if ('issues' in parsed) throw new ExportFailed('This version of Sluice knows no such export');
  const { request } = parsed;
  const { columns, warnings, pages } = await source.read(job.accountId, request);
  async function* counted() {
    let rows = 0;
    for await (const page of pages) {
      signal.throwIfAborted();
      rows += page.length;
      if (rows > exportBounds.rows) throw tooLarge(`${exportBounds.rows} rows`);
      yield page;
    }
    await onRows(rows, warnings);
  }
  return { request, rows: { columns, warnings, pages: counted() } };
}

/** Passes the pieces of a file on. Throws ExportFailed where they are too many. */
export async function* boundedBytes(
  pieces: AsyncIterable<Uint8Array>,
  bytesBefore = 0,
): AsyncGenerator<Uint8Array> {
  let bytes = bytesBefore;
  for await (const piece of pieces) {
    bytes += piece.length;
    if (bytes > exportBounds.bytes) throw tooLarge(`${exportBounds.bytes} bytes`);
    yield piece;
  }
}

function tooLarge(most: string): ExportFailed {
  return new ExportFailed(`It has more than ${most}: export a shorter time_range, or use filters`);
}
