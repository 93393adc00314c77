import { exportFormats, type AskedExport, parseExport } from '@sluice/analytics-model';
import { type Clock, isPlainId, isUuid } from '@sluice/clock-and-ids';
import { Fault, invalidRequest, invalidValue, rejectionToFault } from '@sluice/errors';
import {
  type CreateExportRequest,
  type Export,
  ExportServiceService,
} from '@sluice/protos/sluice/analytics/v1/export';
import { commandContext, implement, type RpcService } from '@sluice/rpc';
import { type DestinationCalls, hasBucket } from '../exports/buckets/find-bucket.ts';
import type { ExportJob, NewExport } from '../exports/export-job.ts';
import type { ExportJobs } from '../exports/export-jobs.ts';
import { askedOf } from './asked-question.ts';

export interface ExportRpcOptions {
  readonly jobs: ExportJobs;
  readonly destinations: DestinationCalls;
  readonly clock: Clock;
  /** Wakes the places that make files. */
  readonly onAdded: () => void;
}

const pageMax = 100;

export function exportRpc(options: ExportRpcOptions): RpcService {
  const { jobs, destinations, clock, onAdded } = options;
  return implement(ExportServiceService, {
    async createExport(request) {
      const wanted = newExport(request, clock.now());
      await requireBucket(destinations, wanted);
      const job = await jobs.add(wanted);
      onAdded();
      return { export: message(job) };
    },
    async getExport({ accountId, exportId }) {
      requireAccount(accountId);
      const job = isUuid(exportId) ? await jobs.find(accountId, exportId) : undefined;
      if (!job) throw new Fault('not_found');
      return { export: message(job) };
    },
    async listExports({ accountId, offset, limit }) {
      requireAccount(accountId);
      if (offset < 0) throw invalidValue('offset', 'must be 0 or more');
      if (limit < 1 || limit > pageMax) throw invalidValue('limit', `must be from 1 to ${pageMax}`);
      const { rows, totalCount } = await jobs.list(accountId, { offset, limit });
      return { exports: rows.map(message), totalCount };
    },
  });
}

function newExport(request: CreateExportRequest, askedAt: Date): NewExport {
  const { context: sent, workspaceId, format: named, question, table, destinationId } = request;
  const { commandId, accountId, actor } = commandContext(sent, askedAt);
  const format = exportFormats.find((one) => one === named);
  if (!format) throw invalidValue('format', `must be one of ${exportFormats.join(', ')}`);
  const asked: AskedExport = { ...(question && askedOf(question)), table };
  const parsed = parseExport(asked, askedAt);
  if ('issues' in parsed) throw rejectionToFault(invalidRequest(parsed.issues));
  const { type: actorType, id: actorId } = actor;
  return {
    exportId: commandId,
    accountId,
    workspaceId,
    actorType,
    actorId,
    format,
    destinationId: destinationId ?? null,
    asked,
    askedAt,
  };
}

async function requireBucket(calls: DestinationCalls, wanted: NewExport): Promise<void> {
  const { accountId, workspaceId, destinationId } = wanted;
  if (destinationId === null) return;
  const place = { accountId, workspaceId, destinationId };
  if (isUuid(destinationId) && (await hasBucket(calls, place))) return;
  throw invalidValue('destination_id', 'must be the id of an enabled destination of type s3');
}

function requireAccount(accountId: string): void {
  if (!isPlainId(accountId)) throw invalidValue('account_id', 'must be an id');
}

function message(job: ExportJob): Export {
  const { exportId, workspaceId, status, format, asked, warnings } = job;
  const parsed = parseExport(asked, job.askedAt);
  const request = 'request' in parsed ? parsed.request : undefined;
  const range = request?.kind === 'question' ? request.question : request;
  return {
    exportId,
    workspaceId,
    status,
    format,
    table: asked.table,
    rangeStart: range ? new Date(range.startMs).toISOString() : '',
    rangeEnd: range ? new Date(range.endMs).toISOString() : '',
    // Rows are noted a moment before the file is there.
    rowCount: status === 'completed' ? (job.rows ?? undefined) : undefined,
    bytes: job.bytes ?? undefined,
    warnings: [...warnings],
    fileId: job.fileId ?? undefined,
    destinationId: job.destinationId ?? undefined,
    location: job.location ?? undefined,
    partCount: job.parts ?? undefined,
    failure: job.failure ?? undefined,
    createdAt: job.createdAt.toISOString(),
    startedAt: job.startedAt?.toISOString(),
    finishedAt: job.finishedAt?.toISOString(),
  };
}
