import { deepEqual, equal, match } from 'node:assert/strict';
import { systemClock } from '@sluice/clock-and-ids';
import { Fault } from '@sluice/errors';
import { inMemoryFiles } from '@sluice/workspace-files/testing';
import { describe, test } from 'vitest';
import { gatewayWorld, otherWorkspaceId, workspaceId } from '../../testing/gateway-world.ts';

const boundary = 'the-boundary';
const multipart = { 'content-type': `multipart/form-data; boundary=${boundary}` };

interface Part {
  readonly name: string;
  readonly filename?: string;
  readonly type?: string;
  readonly content: string;
}

const partOf = ({ name, filename, type, content }: Part) =>
  [
    `--${boundary}`,
    `Content-Disposition: form-data; name="${name}"${filename === undefined ? '' : `; filename="${filename}"`}`,
    ...(type === undefined ? [] : [`Content-Type: ${type}`]),
    '',
    content,
    '',
  ].join('\r\n');
const formOf = (...parts: readonly Part[]) => `${parts.map(partOf).join('')}--${boundary}--\r\n`;
const file = { name: 'file', filename: 'a.csv', type: 'text/csv', content: 'a,b\r\n1,2' };

async function filesWorld(files = inMemoryFiles(systemClock)) {
  const world = await gatewayWorld({ files });
  const { secret: key } = world.regular({ workspaceId });
  const { secret: other } = world.regular({ workspaceId: otherWorkspaceId });
  const upload = (body: string, headers: Readonly<Record<string, string>> = multipart) =>
    world.request('POST /v1/files', { key, headers, body });
  return { ...world, files, key, other, upload };
}

describe('files of a workspace', () => {
  test('are uploaded, listed, described, read and deleted', async () => {
    const { upload, request, key } = await filesWorld();
    const created = await upload(formOf(file));
    equal(created.status, 201, created.text);
    const view = created.json['data'] as { id: string };
    match(view.id, /^svc_file_[0-9a-f]{32}$/);
    deepEqual(Object.entries(view).slice(1, 5), [
      ['workspace_id', workspaceId],
      ['filename', 'a.csv'],
      ['media_type', 'text/csv'],
      ['bytes', 8],
    ]);
    const list = await request('GET /v1/files', { key });
    deepEqual(list.json, { data: [view], total_count: 1 });
    deepEqual((await request(`GET /v1/files/${view.id}`, { key })).json, { data: view });
    const content = await request(`GET /v1/files/${view.id}/content`, { key });
    deepEqual([content.status, content.text], [200, file.content]);
    equal(content.headers['content-type'], 'application/octet-stream');
    equal(content.headers['content-disposition'], 'attachment');
    equal(content.headers['content-length'], '8');
    const deleted = await request(`DELETE /v1/files/${view.id}`, { key });
    deepEqual([deleted.status, deleted.json], [200, { deleted: true }]);
    equal((await request(`GET /v1/files/${view.id}`, { key })).status, 404);
  });

  test('of several parts come as they were sent', async () => {
    const { upload, request, key } = await filesWorld();
    const content = 'abcdefghij'.repeat(250_000);
    const created = await upload(formOf({ ...file, content }));
    equal(created.status, 201, created.text);
    const { id } = created.json['data'] as { id: string };
    const read = await request(`GET /v1/files/${id}/content`, { key });
    equal(read.text === content, true);
  });

  test('are found in their workspace alone', async () => {
    const { upload, request, key, other } = await filesWorld();
    equal((await request(`GET /v1/files/${'x'.repeat(200)}`, { key })).status, 404);
    const { id } = (await upload(formOf(file))).json['data'] as { id: string };
    for (const line of [
      `GET /v1/files/${id}`,
      `GET /v1/files/${id}/content`,
      `DELETE /v1/files/${id}`,
    ]) {
      equal((await request(line, { key: other })).status, 404, line);
      equal((await request(line)).status, 401, line);
    }
    deepEqual((await request('GET /v1/files', { key: other })).json, { data: [], total_count: 0 });
    equal(
      (await request('POST /v1/files', { headers: multipart, body: formOf(file) })).status,
      401,
    );
  });
});

describe('an upload', () => {
  test.each<[string, string, RegExp]>([
    ['without a file', formOf(), /file: is missing/],
    ['of a text field', formOf({ name: 'file', content: 'x' }), /file: must be a file with a name/],
    ['with another field', formOf({ name: 'purpose', content: 'x' }, file), /purpose: is no field/],
    ['with a field after the file', formOf(file, { name: 'x', content: 'x' }), /x: is no field/],
    ['with another file', formOf({ ...file, name: 'image' }), /image: is no field/],
    ['of two files', formOf(file, file), /file: must stand once/],
    ['that is empty', formOf({ ...file, content: '' }), /file: must not be empty/],
    ['that is cut', formOf(file).slice(0, -20), /multipart/],
    ['that is no form', 'nothing', /multipart/],
  ])('%s is refused and leaves no file', async (_what, body, sentence) => {
    const { upload, request, key } = await filesWorld();
    const refused = await upload(body);
    equal(refused.status, 400, refused.text);
    match(refused.text, sentence);
    equal((await request('GET /v1/files', { key })).json['total_count'], 0);
  });

  test('of another type, without a boundary or without a body is refused', async () => {
    const { upload } = await filesWorld();
    const typed = await upload('{}', { 'content-type': 'application/json' });
    equal(typed.status, 400, typed.text);
    match(typed.text, /must be multipart\/form-data/);
    equal((await upload('', {})).status, 400);
    equal((await upload(formOf(file), { 'content-type': 'multipart/form-data' })).status, 400);
  });

  test('that the workspace has no room for is abandoned', async () => {
    const files = inMemoryFiles(systemClock);
    const full = new Fault('conflict', { message: 'The workspace has 2 files' });
    const { upload } = await filesWorld({
      ...files,
      completeUpload: async () => Promise.reject(full),
    });
    const refused = await upload(formOf(file));
    equal(refused.status, 409);
    match(refused.text, /The workspace has 2 files/);
    equal(files.abandoned.length, 1);
  });
});
