import { deepEqual, equal, match } from 'node:assert/strict';
import { systemClock } from '@sluice/clock-and-ids';
import { Fault } from '@sluice/errors';
import type { CreateExportRequest, Export } from '@sluice/protos/sluice/analytics/v1/export';
import { uploadFile } from '@sluice/workspace-files';
import { inMemoryFiles } from '@sluice/workspace-files/testing';
import { describe, test } from 'vitest';
import {
  gatewayWorld,
  organizationId as accountId,
  workspaceId,
} from '../../testing/gateway-world.ts';

const exportId = '0190a000-0000-7000-8000-000000000001';
const made: Export = {
  exportId,
  workspaceId: '',
  status: 'completed',
  format: 'parquet',
  table: 'usage_day',
  rangeStart: '2026-11-01T00:00:00.000Z',
  rangeEnd: '2026-11-20T00:00:00.000Z',
  rowCount: 12n,
  bytes: 340n,
  warnings: [],
  fileId: 'svc_export_2a1fd2b66a554f0b9d4e5a3a1f6b7c8d',
  failure: undefined,
  createdAt: '2026-11-20T09:30:00.000Z',
  startedAt: '2026-11-20T09:30:01.000Z',
  finishedAt: '2026-11-20T09:30:02.000Z',
  destinationId: undefined,
  location: undefined,
  partCount: undefined,
};

/** A gateway whose analytics has one export, and the exports that it was asked for. */
async function world() {
  const asked: CreateExportRequest[] = [];
  const { request, management, regular } = await gatewayWorld({
    exports: {
      async createExport(sent) {
        asked.push(sent);
        if (sent.format === 'csv') throw new Fault('conflict', { message: 'too many' });
        const queued = { ...made, status: 'queued', rowCount: undefined, fileId: undefined };
        return { export: { ...queued, table: sent.table } };
      },
      async getExport({ exportId: id, ...of }) {
        if (id !== exportId || of.accountId !== accountId) throw new Fault('not_found');
        return { export: made };
      },
      async listExports({ offset, limit }) {
        return { exports: offset === 0 && limit === 1 ? [made] : [], totalCount: 1 };
      },
    },
  });
  const key = management().secret;
  const create = (body: object) => request('POST /v1/analytics/exports', { key, body });
  return { asked, request, key, create, regular };
}

const issuesOf = (json: unknown) =>
  (json as { error: { metadata: { issues: { path: string }[] } } }).error.metadata.issues.map(
    ({ path }) => path,
  );

describe('an export', () => {
  test('is asked for the account of the key, and accepted', async () => {
    const { create, asked } = await world();
    const filters = [{ field: 'model', operator: 'in', value: ['sim/echo'] }];
    const { status, json, text } = await create({ format: 'parquet', table: 'usage_day', filters });
    equal(status, 202, text);
    const { id, file_id, row_count, ...view } = json['data'] as Record<string, unknown>;
    deepEqual([id, view['status'], file_id, row_count], [exportId, 'queued', null, null]);
    const [sent] = asked;
    deepEqual(
      [sent?.context?.accountId, sent?.context?.actorType, sent?.workspaceId, sent?.table],
      [accountId, 'management_key', '', 'usage_day'],
    );
    deepEqual(sent?.question?.filters[0]?.values, ['sim/echo']);
  });

  test('may be of a question', async () => {
    const { create, asked } = await world();
    const question = { metrics: ['total_usage'], dimensions: ['model'], limit: 1_000_000 };
    equal((await create({ format: 'parquet', ...question })).status, 202);
    deepEqual(
      [asked[0]?.table, asked[0]?.question?.metrics, asked[0]?.question?.limit],
      [undefined, ['total_usage'], 1_000_000],
    );
  });

  test('may go to the bucket of a destination', async () => {
    const { create, asked } = await world();
    const destination_id = '0190a000-0000-7000-8000-0000000000d1';
    for (const destination of ['s3', undefined]) {
      const body = { format: 'parquet', table: 'usage_day', destination, destination_id };
      equal((await create(body)).status, 202);
    }
    deepEqual(
      asked.map(({ destinationId }) => destinationId),
      [destination_id, destination_id],
    );
  });

  test('that breaks a rule is refused with the path of the field', async () => {
    const { create, asked } = await world();
    const parquet = { format: 'parquet' };
    const odd = { start: '2026-11-01T12:00:00Z', end: '2026-11-02T00:00:00Z' };
    for (const [body, path] of [
      [{ table: 'usage_day' }, 'format'],
      [parquet, 'metrics'],
      [{ ...parquet, table: 'names' }, 'table'],
      [{ ...parquet, table: 'usage_day', time_range: odd }, 'time_range.start'],
      [{ ...parquet, table: 'usage_day', metrics: ['total_usage'] }, 'metrics'],
      [{ ...parquet, table: 'facts', destination: 's3' }, 'destination_id'],
      [
        { ...parquet, table: 'facts', destination: 'files', destination_id: exportId },
        'destination_id',
      ],
      [{ ...parquet, table: 'facts', destination_id: 'bucket' }, 'destination_id'],
      [{ ...parquet, table: 'facts', destination: 'gcs' }, 'destination'],
      [{ ...parquet, table: 'facts', credentials: {} }, 'credentials'],
      [{ ...parquet, metrics: ['total_usage'], limit: 1_000_001 }, 'limit'],
    ] as const) {
      const { status, json } = await create(body);
      equal(status, 400, path);
      deepEqual(issuesOf(json), [path]);
    }
    deepEqual(asked, []);
  });

  test('is refused while too many are under way', async () => {
    const { create } = await world();
    const { status, text } = await create({ format: 'csv', table: 'facts' });
    equal(status, 409);
    match(text, /too many/);
  });

  test('is read and listed', async () => {
    const { request, key } = await world();
    const view = {
      id: exportId,
      status: 'completed',
      format: 'parquet',
      table: 'usage_day',
      time_range: { start: made.rangeStart, end: made.rangeEnd },
      file_id: made.fileId,
      destination_id: null,
      location: null,
      part_count: null,
      row_count: 12,
      size_bytes: 340,
      error: null,
      warnings: [],
      created_at: made.createdAt,
      started_at: made.startedAt,
      finished_at: made.finishedAt,
    };
    const found = await request(`GET /v1/analytics/exports/${exportId}`, { key });
    deepEqual([found.status, found.json], [200, { data: view }]);
    const list = await request('GET /v1/analytics/exports?limit=1', { key });
    deepEqual([list.status, list.json], [200, { data: [view], total_count: 1 }]);
    equal((await request('GET /v1/analytics/exports/x', { key })).status, 404);
  });

  test('is for management keys', async () => {
    const { request, regular } = await world();
    const { secret: key } = regular({ workspaceId });
    const body = { format: 'parquet', table: 'facts' };
    equal((await request('POST /v1/analytics/exports', { key, body })).status, 403);
    equal((await request('GET /v1/analytics/exports', { key })).status, 403);
    equal((await request(`GET /v1/analytics/exports/${exportId}`, { key })).status, 403);
  });

  test('is not there without an analytics service', async () => {
    const { request, management } = await gatewayWorld();
    const { secret: key } = management();
    equal((await request('GET /v1/analytics/exports', { key })).status, 503);
  });
});

test('the file of an export is read with a management key, and with no other', async () => {
  const files = inMemoryFiles(systemClock);
  const { request, management, regular } = await gatewayWorld({ files });
  const { fileId } = await uploadFile(
    files,
    {
      context: {
        commandId: exportId,
        requestId: 'req-1',
        accountId,
        actorType: 'system',
        actorId: 'x',
        traceparent: '',
      },
      workspaceId: '',
      name: 'usage.csv',
      mediaType: 'text/csv',
      isExport: true,
    },
    (async function* () {
      yield await Promise.resolve(Buffer.from('day\n'));
    })(),
  );
  const { secret: key } = management();
  const { json } = await request(`GET /v1/files/${fileId}`, { key });
  equal(json['purpose'], 'analytics_export');
  equal((await request(`GET /v1/files/${fileId}/content`, { key })).text, 'day\n');
  const { secret: inference } = regular({ workspaceId });
  for (const path of [
    `GET /v1/files/${fileId}`,
    `GET /v1/files/${fileId}/content`,
    `DELETE /v1/files/${fileId}`,
  ])
    equal((await request(path, { key: inference })).status, 404, path);
  equal((await request(`DELETE /v1/files/${fileId}`, { key })).status, 200);
});
