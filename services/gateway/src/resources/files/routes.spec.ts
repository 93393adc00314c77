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
    const view = created.json as { id: string };
    match(view.id, /^svc_file_[0-9a-f]{32}$/);
    deepEqual(Object.entries(view).slice(1, 8), [
      ['type', 'file'],
      ['object', 'file'],
      ['workspace_id', workspaceId],
      ['filename', 'a.csv'],
      ['mime_type', 'text/csv'],
      ['size_bytes', 8],
      ['bytes', 8],
    ]);
    const list = await request('GET /v1/files', { key });
    const ends = { has_more: false, first_id: view.id, last_id: view.id };
    deepEqual(list.json, { object: 'list', data: [view], total_count: 1, ...ends });
    deepEqual((await request(`GET /v1/files/${view.id}`, { key })).json, view);
    const content = await request(`GET /v1/files/${view.id}/content`, { key });
    deepEqual([content.status, content.text], [200, file.content]);
    equal(content.headers['content-type'], 'application/octet-stream');
    equal(content.headers['content-disposition'], 'attachment');
    equal(content.headers['content-length'], '8');
    const deleted = await request(`DELETE /v1/files/${view.id}`, { key });
    const gone = { id: view.id, type: 'file_deleted', object: 'file', deleted: true };
    deepEqual([deleted.status, deleted.json], [200, gone]);
    equal((await request(`GET /v1/files/${view.id}`, { key })).status, 404);
  });

  test('of several parts come as they were sent', async () => {
    const { upload, request, key } = await filesWorld();
    const content = 'abcdefghij'.repeat(250_000);
    const created = await upload(formOf({ ...file, content }));
    equal(created.status, 201, created.text);
    const { id } = created.json as { id: string };
    const read = await request(`GET /v1/files/${id}/content`, { key });
    equal(read.text === content, true);
  });

  test('are listed in pages, as the clients of OpenAI ask for them', async () => {
    const { upload, request, key } = await filesWorld();
    const purpose = { name: 'purpose', content: 'something of the future' };
    const ids: string[] = [];
    for (const parts of [[file, purpose], [purpose, file], [file]]) {
      const created = await upload(formOf(...parts));
      equal(created.status, 201, created.text);
      ids.unshift((created.json as { id: string }).id);
    }
    const idsOf = async (query: string) => {
      const { status, json, text } = await request(`GET /v1/files?${query}`, { key });
      equal(status, 200, text);
      const { data, has_more: more } = json as { data: { id: string }[]; has_more: boolean };
      return [data.map(({ id }) => id), more];
    };
    deepEqual(await idsOf('limit=10000&purpose=assistants&order=desc'), [ids, false]);
    deepEqual(await idsOf('limit=2'), [ids.slice(0, 2), true]);
    deepEqual(await idsOf(`limit=2&after=${ids[1]}`), [ids.slice(2), false]);
    deepEqual(await idsOf('order=asc&limit=1'), [ids.slice(2), true]);
    equal((await request('GET /v1/files?after=none', { key })).status, 400);
    equal((await request('GET /v1/files?order=random', { key })).status, 400);
  });

  test('are found in their workspace alone', async () => {
    const { upload, request, key, other } = await filesWorld();
    equal((await request(`GET /v1/files/${'x'.repeat(200)}`, { key })).status, 404);
    const { id } = (await upload(formOf(file))).json as { id: string };
    for (const line of [
      `GET /v1/files/${id}`,
      `GET /v1/files/${id}/content`,
      `DELETE /v1/files/${id}`,
    ]) {
      equal((await request(line, { key: other })).status, 404, line);
      equal((await request(line)).status, 401, line);
    }
    equal((await request('GET /v1/files', { key: other })).json['total_count'], 0);
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
    ['with another field', formOf({ name: 'until', content: 'x' }, file), /until: is no field/],
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

  test('that the workspace has no room for is refused', async () => {
    const full = new Fault('conflict', { message: 'The workspace has 2 files' });
    const { upload } = await filesWorld({
      ...inMemoryFiles(systemClock),
      uploadFile: async () => Promise.reject(full),
    });
    const refused = await upload(formOf(file));
    equal(refused.status, 409);
    match(refused.text, /The workspace has 2 files/);
  });
});
