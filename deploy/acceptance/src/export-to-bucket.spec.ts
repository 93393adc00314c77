import { deepEqual, equal, match } from 'node:assert/strict';
import { type S3Server, s3ServerKeys, startS3Server } from '@sluice/file-store/testing';
import { afterAll, beforeAll, test } from 'vitest';
import { eventually, list, manage, raw, text } from './http.ts';
import { sharedInstance } from './shared/instance.ts';
import type { Running } from './shared/setup.ts';
import { ofItsApi, sluice as commandLine } from './sluice.ts';

let sluice: Running;
let server: S3Server;
beforeAll(async () => {
  server = await startS3Server();
  sluice = await sharedInstance({ kind: 'outward' });
});
afterAll(() => server?.stop());

async function makeDestination(type: string, config: object): Promise<string> {
  const made = await manage(sluice, '/observability/destinations', {
    body: { type, name: `exports to ${type}`, config },
  });
  equal(made.status, 201, JSON.stringify(made.body));
  return text(made.body['data']?.['id']);
}

test('an export goes to the bucket of a destination, with what credits paid', async () => {
  const config = { bucketName: server.bucket, endpoint: server.url, ...s3ServerKeys };
  const destination = await makeDestination('s3', { ...config, prefix: 'reports' });
  const answered = await raw(sluice, '/responses', { body: { model: 'sim/echo', input: 'one' } });
  equal(answered.status, 200);
  await answered.text();
  const creditsOf = async () => {
    const { body } = await manage(sluice, '/analytics/query', {
      body: { metrics: ['credits_usage', 'request_count'] },
    });
    return list(body['data']?.['data'])[0] ?? {};
  };
  await eventually(creditsOf, ({ request_count }) => Number(request_count) >= 1);

  const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
  const words = ['--table', 'usage_day', '--to', tomorrow, '--format', 'csv'];
  const command = ['analytics', 'export', ...words, '--destination-id', destination];
  const { code, out, error } = await commandLine(
    sluice,
    [...command, '--wait', '--json'],
    ofItsApi(sluice),
  );
  equal(code, 0, error);
  const made = (JSON.parse(out) as { data: Record<string, unknown> }).data;
  const location = `s3://${server.bucket}/reports/exports/${String(made['id'])}/`;
  deepEqual([made['location'], made['part_count'], made['file_id']], [location, 1, null]);
  const path = location.slice('s3://'.length);
  const part = await (await fetch(`${server.url}/${path}part-00000.csv`)).text();
  const [names = '', ...lines] = part.trimEnd().split('\n');
  match(names, /^account_id,day,/);
  equal(lines.length, made['row_count']);
  const manifest = await fetch(`${server.url}/${path}manifest.json`);
  deepEqual(((await manifest.json()) as { columns: unknown }).columns, names.split(','));
});

test('an export names a destination that is there, and is of type s3', async () => {
  const webhook = await makeDestination('webhook', { url: 'https://hooks.example.com/traces' });
  for (const destination_id of [webhook, '0190a000-0000-7000-8000-0000000000d1']) {
    const body = { format: 'csv', table: 'facts', destination_id };
    const { status, body: refused } = await manage(sluice, '/analytics/exports', { body });
    equal(status, 400);
    match(JSON.stringify(refused), /must be the id of an enabled destination of type s3/);
  }
});
