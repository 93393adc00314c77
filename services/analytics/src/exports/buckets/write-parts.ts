import { createHash } from 'node:crypto';
import type { ExportFormat } from '@sluice/analytics-model';
import type { ExportRows } from '../../store/export-source.ts';
import { encodeAside } from '../encoding/encode-aside.ts';
import { type ExportJob, mediaTypes } from '../export-job.ts';
import type { MadeParts } from '../export-jobs.ts';
import { boundedBytes, openRows, type RowReader } from '../open-rows.ts';
import { type DestinationCalls, openBucket } from './find-bucket.ts';
import { putObject, type PutSurroundings } from './put-object.ts';

export interface PartWriter extends RowReader, PutSurroundings {
  readonly destinations: DestinationCalls;
  /** A part ends behind the page with which it has as many bytes. */
  readonly partBytes?: number;
}

/** A file of its own, which readers of several files take as one table. */
interface Part {
  readonly content: Uint8Array;
  readonly sha256: string;
  readonly rows: number;
}

/** Parts are held in memory, one at a time, because the signature of a request has their hash. */
const partBytesDefault = 8 * 1024 * 1024;

/**
 * Writes the rows of an export into the bucket of its destination, and in the end `manifest.json`, which names the
 * parts. An attempt has a folder of its own, so that no parts of two moments lie in one. Throws ExportFailed, or a
 * fault of another service.
 */
export async function writeParts(job: ExportJob, writer: PartWriter): Promise<MadeParts> {
  const { accountId, workspaceId, exportId, format } = job;
  const destinationId = job.destinationId ?? '';
  const place = { accountId, workspaceId, destinationId };
  const bucket = await openBucket(writer.destinations, place);
  const { request, rows } = await openRows(job, writer);
  const attempt = job.attempts === 1 ? '' : `-${job.attempts}`;
  const prefix = bucket.prefix.split('/').filter((each) => !['', '.', '..'].includes(each));
  const folder = [...prefix, 'exports', `${exportId}${attempt}`].join('/');
  const listed: { name: string; row_count: number; size_bytes: number; sha256: string }[] = [];
  let bytes = 0;
  for await (const { content, sha256, rows: count } of partsOf(rows, format, writer.partBytes)) {
    const name = `part-${String(listed.length).padStart(5, '0')}.${format}`;
    const object = { name: `${folder}/${name}`, mediaType: mediaTypes[format], sha256, content };
    await putObject(bucket, object, writer);
    listed.push({ name, row_count: count, size_bytes: content.length, sha256 });
    bytes += content.length;
  }
  const range = request.kind === 'table' ? request : request.question;
  const manifest = Buffer.from(
    JSON.stringify({
      export_id: exportId,
      table: request.kind === 'table' ? request.table : null,
      format,
      time_range: {
        start: new Date(range.startMs).toISOString(),
        end: new Date(range.endMs).toISOString(),
      },
      columns: rows.columns.map(({ name }) => name),
      warnings: rows.warnings,
      parts: listed,
    }),
  );
  const sha256 = createHash('sha256').update(manifest).digest('hex');
  const name = `${folder}/manifest.json`;
  await putObject(
    bucket,
    { name, mediaType: 'application/json', sha256, content: manifest },
    writer,
  );
  const location = `s3://${bucket.bucketName}/${folder}/`;
  return { location, parts: listed.length, bytes: BigInt(bytes) };
}

/** Splits rows into files. One without rows has the names of the columns. */
async function* partsOf(
  { columns, pages }: Pick<ExportRows, 'columns' | 'pages'>,
  format: ExportFormat,
  partBytes = partBytesDefault,
): AsyncGenerator<Part> {
  const iterator = pages[Symbol.asyncIterator]();
  try {
    let next = await iterator.next();
    let bytesBefore = 0;
    do {
      let rows = 0;
      let bytes = 0;
      const isFull = () => rows > 0 && bytes >= partBytes;
      const own = async function* () {
        while (next.done !== true && !isFull()) {
          rows += next.value.length;
          yield next.value;
          next = await iterator.next();
        }
      };
      const pieces: Uint8Array[] = [];
      const hash = createHash('sha256');
      for await (const piece of boundedBytes(
        encodeAside({ columns, pages: own() }, format),
        bytesBefore,
      )) {
        hash.update(piece);
        pieces.push(piece);
        bytes += piece.length;
      }
      bytesBefore += bytes;
      yield { content: Buffer.concat(pieces, bytes), sha256: hash.digest('hex'), rows };
    } while (next.done !== true);
  } finally {
    await iterator.return?.();
  }
}
