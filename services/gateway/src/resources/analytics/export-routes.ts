import { type AskedExport, parseExport } from '@sluice/analytics-model';
import type { Clock, Ids } from '@sluice/clock-and-ids';
import { Fault, invalidRequest, invalidValue, rejectionToFault } from '@sluice/errors';
import type { Export } from '@sluice/protos/sluice/analytics/v1/export';
import type { Static } from 'typebox';
import type { ExportCalls } from '../../clients/calls.ts';
import { present } from '../../clients/present.ts';
import type { App } from '../../http/app-types.ts';
import { AccountRoutes } from '../../http/routes/account-routes.ts';
import { pageOf } from '../../http/schemas/page.ts';
import {
  createExportBody,
  type CreateExportBody,
  exportListReply,
  exportParams,
  exportReply,
  type exportView,
  listExportsQuery,
} from './export-schema.ts';
import { requestOf, requireNoClassifier } from './question.ts';

export interface ExportRouteDependencies {
  /** Undefined where there is no analytics service. */
  readonly exports: ExportCalls | undefined;
  readonly clock: Clock;
  readonly ids: Ids;
}

/** Serves exports of usage: each becomes a file of the workspace of the key, or goes to a bucket. */
export function exportRoutes(app: App, { exports, clock, ids }: ExportRouteDependencies): void {
  const routes = new AccountRoutes(app, ids, { auth: 'management', errors: [] });
  const calls = () => {
    if (exports) return exports;
    throw new Fault('unavailable', { message: 'There is no analytics service here' });
  };
  routes.change('POST', '/v1/analytics/exports', {
    operationId: 'createExport',
    summary: 'Export usage to a Parquet or CSV file, or to a bucket',
    body: createExportBody,
    answer: exportReply,
    status: 202,
    config: { errors: [409] },
    handle: async ({ caller, accountId, context, body }) => {
      requireWellFormed(body, clock);
      const { workspaceId } = caller.principal;
      const { format, table, destination_id: destinationId } = body;
      const question = requestOf(accountId, body);
      const asked = { context, workspaceId, format, table, question, destinationId };
      return { data: viewOf((await calls().createExport(asked)).export) };
    },
  });
  routes.get('/v1/analytics/exports', {
    operationId: 'listExports',
    summary: 'List the exports of the last 30 days, the latest first',
    query: listExportsQuery,
    answer: exportListReply,
    config: { errors: [400] },
    handle: async ({ accountId, query }) => {
      const found = await calls().listExports({ accountId, ...pageOf(query) });
      return { data: found.exports.map(viewOf), total_count: found.totalCount };
    },
  });
  routes.get('/v1/analytics/exports/:id', {
    operationId: 'getExport',
    summary: 'Read how far an export is, and the id of its file',
    params: exportParams,
    answer: exportReply,
    config: { errors: [404] },
    handle: async ({ accountId, params: { id: exportId } }) => ({
      data: viewOf((await calls().getExport({ accountId, exportId })).export),
    }),
  });
}

function requireWellFormed(body: CreateExportBody, clock: Clock): void {
  const { format: _format, destination, destination_id, ...asked } = body;
  if (destination === 's3' && destination_id === undefined)
    throw invalidValue('destination_id', 'is required: the id of a destination of type s3');
  if (destination === 'files' && destination_id !== undefined)
    throw invalidValue('destination_id', 'must be absent: the export becomes a file');
  const parsed = parseExport(asked satisfies AskedExport, clock.now());
  if ('issues' in parsed) throw rejectionToFault(invalidRequest(parsed.issues));
  requireNoClassifier(body);
}

function viewOf(sent: Export | undefined): Static<typeof exportView> {
  const made = present(sent);
  const { exportId, format, table, status, rowCount, bytes } = made;
  return {
    id: exportId,
    status: status as Static<typeof exportView>['status'],
    format: format as Static<typeof exportView>['format'],
    table: (table ?? null) as Static<typeof exportView>['table'],
    time_range: { start: made.rangeStart, end: made.rangeEnd },
    file_id: made.fileId ?? null,
    destination_id: made.destinationId ?? null,
    location: made.location ?? null,
    part_count: made.partCount ?? null,
    row_count: rowCount === undefined ? null : Number(rowCount),
    size_bytes: bytes === undefined ? null : Number(bytes),
    error: made.failure ?? null,
    warnings: made.warnings,
    created_at: made.createdAt,
    started_at: made.startedAt ?? null,
    finished_at: made.finishedAt ?? null,
  };
}
