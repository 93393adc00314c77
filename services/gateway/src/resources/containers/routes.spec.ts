import { deepEqual, equal } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { gatewayWorld, otherWorkspaceId, workspaceId } from '../../testing/gateway-world.ts';
import { inMemorySandbox } from '../../testing/in-memory-sandbox.ts';

const big = Buffer.alloc(2_500_000, 'x');
const files = new Map<string, Buffer>([
  ['d/a b.txt', Buffer.from('hello')],
  ['big', big],
]);
const id = (path: string) => `cfile_${Buffer.from(path).toString('base64url')}`;
const worldWith = () => gatewayWorld({ sandbox: inMemorySandbox(workspaceId, files) });
const created_at = '2026-11-20T09:30:00.000Z';

describe('files of a container', () => {
  test('are listed, described and read', async () => {
    const { request, regular } = await worldWith();
    const { secret: key } = regular({ workspaceId });
    const view = {
      id: id('d/a b.txt'),
      container_id: 'kept',
      path: 'd/a b.txt',
      bytes: 5,
      created_at,
    };
    const list = await request('GET /v1/containers/kept/files', { key });
    equal(list.status, 200, list.text);
    deepEqual(list.json['data'], [
      view,
      { ...view, id: id('big'), path: 'big', bytes: big.length },
    ]);
    const one = await request(`GET /v1/containers/kept/files/${id('d/a b.txt')}`, { key });
    deepEqual(one.json, { data: view });
  });

  test('are sent as bytes, in parts', async () => {
    const { app, regular } = await worldWith();
    const { secret } = regular({ workspaceId });
    const url = `/v1/containers/kept/files/${id('big')}/content`;
    const answer = await app.inject({ url, headers: { authorization: `Bearer ${secret}` } });
    equal(answer.statusCode, 200);
    equal(answer.headers['content-type'], 'application/octet-stream');
    equal(answer.headers['content-disposition'], 'attachment');
    equal(answer.rawPayload.equals(big), true);
  });

  test('are copied to the files of the workspace', async () => {
    const { request, regular } = await worldWith();
    const { secret: key } = regular({ workspaceId });
    const promoted = await request(`POST /v1/containers/kept/files/${id('d/a b.txt')}/promote`, {
      key,
    });
    equal(promoted.status, 201, promoted.text);
    const file = promoted.json as unknown as { id: string; filename: string; bytes: number };
    deepEqual([file.filename, file.bytes], ['a b.txt', 5]);
    equal((await request(`GET /v1/files/${file.id}/content`, { key })).text, 'hello');
    const none = await request(`POST /v1/containers/kept/files/${id('none')}/promote`, { key });
    equal(none.status, 404);
    const { secret: other } = regular({ workspaceId: otherWorkspaceId });
    const theirs = await request(`POST /v1/containers/kept/files/${id('big')}/promote`, {
      key: other,
    });
    equal(theirs.status, 404);
  });

  test('of other workspaces, other containers and other paths are not found', async () => {
    const { request, regular } = await worldWith();
    const { secret: key } = regular({ workspaceId });
    const { secret: other } = regular({ workspaceId: otherWorkspaceId });
    equal((await request('GET /v1/containers/kept/files', { key: other })).status, 404);
    equal((await request('GET /v1/containers/none/files', { key })).status, 404);
    for (const file of [id('none'), 'cfile_', 'cfile_YQ-x_'])
      for (const rest of ['', '/content']) {
        const { status } = await request(`GET /v1/containers/kept/files/${file}${rest}`, { key });
        equal(status === 404 || status === 400, true, `${file}${rest}: ${status}`);
      }
    equal((await request('GET /v1/containers/kept/files')).status, 401);
    equal((await request('GET /v1/containers/a%20b/files', { key })).status, 400);
  });

  test('are none without a sandbox', async () => {
    const { request, regular } = await gatewayWorld();
    const { secret: key } = regular({ workspaceId });
    equal((await request('GET /v1/containers/kept/files', { key })).status, 404);
  });
});
