import { deepEqual, equal, match } from 'node:assert/strict';
import { beforeAll, test } from 'vitest';
import { json } from './http.ts';
import { inSecondOrganization } from './organization.ts';
import { sharedInstance } from './shared/instance.ts';
import type { Running } from './shared/setup.ts';

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
