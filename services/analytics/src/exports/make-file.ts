import type { ExportRequest } from '@sluice/analytics-model';
import { derivedId } from '@sluice/clock-and-ids';
import { Fault } from '@sluice/errors';
import { type FileCalls, fileIdOf, uploadFile } from '@sluice/workspace-files';
import { encodeAside } from './encoding/encode-aside.ts';
import { type ExportJob, mediaTypes } from './export-job.ts';
import type { MadeFile } from './export-jobs.ts';
import { boundedBytes, openRows, type RowReader } from './open-rows.ts';

export interface FileMaker extends RowReader {
  readonly files: Pick<FileCalls, 'uploadFile' | 'getFile'>;
}

/**
 * Makes the file of an export, or finds the one that an earlier attempt has made. Throws ExportFailed, or a fault of
 * another service.
 */
export async function makeFile(job: ExportJob, maker: FileMaker): Promise<MadeFile> {
  const made = await fileOfEarlierAttempt(job, maker);
  if (made) return made;
  const { request, rows } = await openRows(job, maker);
  const { fileId, bytes } = await uploadFile(
    maker.files,
    {
      context: contextOf(job),
      workspaceId: job.workspaceId,
      name: fileNameOf(job, request),
      mediaType: mediaTypes[job.format],
      isExport: true,
    },
    boundedBytes(encodeAside(rows, job.format)),
  );
  return { fileId, bytes };
}

const commandIdOf = ({ exportId }: ExportJob, attempt: number) =>
  derivedId('export', exportId, String(attempt));

function contextOf(job: ExportJob) {
  const { exportId, accountId, actorType, actorId, attempts } = job;
  const commandId = commandIdOf(job, attempts);
  return { commandId, requestId: exportId, accountId, actorType, actorId, traceparent: '' };
}

/** A process may have died after it had sent the file. */
async function fileOfEarlierAttempt(
  job: ExportJob,
  { files }: FileMaker,
): Promise<MadeFile | undefined> {
  const { accountId, workspaceId } = job;
  // Without its rows, no attempt has sent the end of a file.
  if (job.rows === null) return undefined;
  for (let attempt = 1; attempt < job.attempts; attempt++) {
    const fileId = fileIdOf(commandIdOf(job, attempt), { isExport: true });
    const asked = { accountId, workspaceId, fileId, includesExports: true };
    const found = await files.getFile(asked).catch(notFound);
    if (found?.file) return { fileId, bytes: found.file.bytes };
  }
  return undefined;
}

function notFound(error: unknown): undefined {
  if (error instanceof Fault && error.code === 'not_found') return undefined;
  throw error;
}

/** `usage_day-20261101T000000Z-20261108T000000Z.parquet` */
function fileNameOf({ format }: ExportJob, request: ExportRequest): string {
  const { startMs, endMs } = request.kind === 'table' ? request : request.question;
  const name = request.kind === 'table' ? request.table : 'query';
  const [from, to] = [startMs, endMs].map((ms) =>
    new Date(ms).toISOString().replaceAll(/[-:]|\.\d+/g, ''),
  );
  return `${name}-${from}-${to}.${format}`;
}
