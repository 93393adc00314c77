import { join } from 'node:path';
import { afterEach, beforeEach, describe, inject, test } from 'vitest';
import {
  projectionSpecification,
  recordedEvents,
  testDatabase,
  type TestDatabase,
} from '@sluice/read-model/testing';
import { filesProjection } from './files.ts';

let database: TestDatabase;
beforeEach(async () => {
  const migrations = join(import.meta.dirname, '../migrations');
  database = await testDatabase({ url: inject('postgresUrl'), migrations });
});
afterEach(() => database.drop());

const workspaceId = '0190a000-0000-7000-8000-000000000010';
const at = '2026-01-02T03:04:05.678Z';
const file = { accountId: 'org_1', workspaceId, fileId: 'svc_file_1' };
const begun = { type: 'FileUploadBegun', data: { ...file, begunAt: at } };
const values = { name: 'a.txt', mediaType: 'text/plain', bytes: 3, sha256: 'ab' };
const added = { type: 'FileAdded', data: { ...file, ...values, addedAt: at } };
const deleted = { type: 'FileDeleted', data: { ...file, deletedAt: at } };
const project = (...events: readonly { type: string; data: object }[]) =>
  projectionSpecification({ database, apply: filesProjection.apply })
    .project(...recordedEvents(`workspaceFiles-${workspaceId}`, ...events))
    .twice();
const all = 'SELECT * FROM files';

describe('the table of files', () => {
  test('holds a file whose content is stored', () =>
    project(begun, added).expectRows(all, [
      {
        file_id: 'svc_file_1',
        account_id: 'org_1',
        workspace_id: workspaceId,
        name: 'a.txt',
        media_type: 'text/plain',
        bytes: 3n,
        sha256: 'ab',
        created_at: new Date(at),
      },
    ]));
  test('holds no upload that has not ended, or was abandoned', () =>
    project(begun, { type: 'FileUploadAbandoned', data: { ...file, abandonedAt: at } }).expectRows(
      all,
      [],
    ));
  test('holds no file that was deleted', () => project(begun, added, deleted).expectRows(all, []));
});

describe('the table of uploads', () => {
  const uploads = 'SELECT * FROM file_uploads';
  test('holds one that has not ended', () =>
    project(begun).expectRows(uploads, [
      {
        file_id: 'svc_file_1',
        account_id: 'org_1',
        workspace_id: workspaceId,
        begun_at: new Date(at),
      },
    ]));
  test('holds none whose file was added, or that was abandoned', async () => {
    await project(begun, added).expectRows(uploads, []);
    const other = { ...file, fileId: 'svc_file_2' };
    await project(
      { type: 'FileUploadBegun', data: { ...other, begunAt: at } },
      { type: 'FileUploadAbandoned', data: { ...other, abandonedAt: at } },
    ).expectRows(uploads, []);
  });
});

describe('the table of streams', () => {
  const streams = 'SELECT * FROM file_streams';
  const row = { workspace_id: workspaceId, account_id: 'org_1' };
  test('holds the revision that the other tables have', () =>
    project(begun, added).expectRows(streams, [{ ...row, revision: 1n, is_closed: false }]));
  test('holds that the workspace is gone', () =>
    project(
      { type: 'WorkspaceFilesClosed', data: { ...file, closedAt: at } },
      { type: 'FileUploadAbandoned', data: { ...file, abandonedAt: at } },
    ).expectRows(streams, [{ ...row, revision: 1n, is_closed: true }]));
});
