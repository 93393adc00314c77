import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkedFetch } from '@sluice/testing/response-stream';
import OpenAI, { toFile } from 'openai';
import { beforeAll, test } from 'vitest';
import { json } from './http.ts';
import { inSecondOrganization } from './organization.ts';
import { sharedInstance } from './shared/instance.ts';
import type { Running } from './shared/setup.ts';
import { ofItsApi, sluice as commandLine } from './sluice.ts';

let sluice: Running;
beforeAll(async () => {
  sluice = await sharedInstance();
});

const filesUrl = (path = '') => new URL(`/v1/files${path}`, sluice.bootstrap.base_url);
const headers = () => ({ authorization: `Bearer ${sluice.bootstrap.api_key}` });

async function upload(content: Uint8Array<ArrayBuffer>, name: string) {
  const form = new FormData();
  form.set('file', new Blob([content], { type: 'text/plain' }), name);
  const response = await fetch(filesUrl(), { method: 'POST', headers: headers(), body: form });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

test('a file is uploaded, read by a model, downloaded and deleted', async () => {
  const content = new Uint8Array(Buffer.from('the report of the acceptance test '.repeat(100_000)));
  const { status, body } = await upload(content, 'report.txt');
  equal(status, 201, JSON.stringify(body));
  const { id, bytes } = body as { id: string; bytes: number };
  equal(bytes, content.length);
  const downloaded = await fetch(filesUrl(`/${id}/content`), { headers: headers() });
  equal(Buffer.from(await downloaded.arrayBuffer()).equals(content), true);

  const call = 'call service_files {"operation":"list","filename_filter":"report"}';
  const tools = [{ type: 'service:files' }];
  const asked = { model: 'sim/echo', input: `agent: ${call} then say done`, tools };
  const answer = await json(sluice, '/responses', { body: asked });
  equal(answer.status, 200, JSON.stringify(answer.body));
  match(JSON.stringify(answer.body['output']), new RegExp(id));

  const second = await inSecondOrganization(sluice);
  equal((await json(second, `/files/${id}`)).status, 404);
  const deleted = await fetch(filesUrl(`/${id}`), { method: 'DELETE', headers: headers() });
  deepEqual(
    [deleted.status, await deleted.json()],
    [200, { id, type: 'file_deleted', object: 'file', deleted: true }],
  );
  equal((await json(sluice, `/files/${id}`)).status, 404);
});

test('a file that is empty or larger than 100 MB is refused', async () => {
  equal((await upload(new Uint8Array(), 'empty.txt')).status, 400);
  const large = await upload(new Uint8Array(100_000_001), 'large.bin');
  equal(large.status, 413, JSON.stringify(large.body));
});

test("OpenAI's client uploads, lists, reads and deletes files", async () => {
  const { base_url: baseURL, api_key: apiKey } = sluice.bootstrap;
  const { files } = new OpenAI({ baseURL, apiKey, fetch: checkedFetch, maxRetries: 0 });
  const ids: string[] = [];
  for (const purpose of ['assistants', 'user_data'] as const) {
    const file = await toFile(Buffer.from(purpose), `${purpose}.txt`);
    const created = await files.create({ file, purpose });
    deepEqual([created.object, created.filename], ['file', `${purpose}.txt`]);
    ids.push(created.id);
  }
  const listed: string[] = [];
  for await (const { id } of files.list({ limit: 1, purpose: 'assistants' })) listed.push(id);
  ok(ids.every((id) => listed.filter((one) => one === id).length === 1));
  const [id = '', other = ''] = ids;
  equal((await files.retrieve(id)).bytes, 'assistants'.length);
  equal(await (await files.content(id)).text(), 'assistants');
  for (const one of [id, other]) equal((await files.delete(one)).deleted, true);
});

test('the command line uploads, lists, downloads and deletes a file', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-files-'));
  const run = (...words: readonly string[]) => commandLine(sluice, words, ofItsApi(sluice));
  try {
    const [path, copy] = [join(folder, 'up.txt'), join(folder, 'down.txt')];
    await writeFile(path, 'the words of a file');
    const uploaded = await run('files', 'upload', path, '--json');
    equal(uploaded.code, 0, uploaded.error);
    const { id, filename } = JSON.parse(uploaded.out) as { id: string; filename: string };
    equal(filename, 'up.txt');
    match((await run('files', 'list')).out, new RegExp(id));
    equal((await run('files', 'download', id, '--output', copy)).code, 0);
    equal(await readFile(copy, 'utf8'), 'the words of a file');
    // A file that is there is not overwritten.
    equal((await run('files', 'download', id, '--output', copy)).code, 1);
    equal((await run('files', 'delete', id)).code, 0);
    match((await run('files', 'download', id, '--output', `${copy}2`)).error, /404/);
    match((await run('files', 'upload', join(folder, 'none'))).error, /cannot be read/);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
