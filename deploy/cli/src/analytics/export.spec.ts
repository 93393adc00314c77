import { deepEqual, equal, match } from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, onTestFinished, test } from 'vitest';
import { sluice } from '../testing/sluice.ts';

interface Answer {
  readonly status: number;
  readonly body: object | string;
}

const job = (changes: object) => ({
  status: 200,
  body: { data: { id: 'e-1', status: 'running', file_id: null, warnings: [], ...changes } },
});
const done = job({ status: 'completed', file_id: 'svc_export_1', row_count: 2 });
const away = { status: 503, body: { error: { message: 'Service temporarily unavailable' } } };

/** An API that gives these answers, one after the other. It returns what it was asked. */
async function exported(answers: readonly Answer[]) {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const { authorization } = request.headers;
    const answer = answers[asked.length] ?? away;
    asked.push(`${request.method} ${request.url} ${authorization}`);
    response.writeHead(answer.status, { 'content-type': 'application/json' });
    const { body } = answer;
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const directory = await mkdtemp(join(tmpdir(), 'sluice-export-'));
  onTestFinished(() => rm(directory, { recursive: true }));
  const path = join(directory, 'usage.csv');
  const words = ['analytics', 'export', '--table', 'facts', '--format', 'csv', '--output', path];
  const { code, out, error } = await sluice(words, {
    SLUICE_BASE_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    SLUICE_MANAGEMENT_KEY: 'management',
    SLUICE_API_KEY: 'inference',
  });
  const content = await readFile(path, 'utf8').catch(() => undefined);
  return { code, out, error, content, asked };
}

describe('an export with --output', () => {
  test('waits, also while the service is away, and reads the file with the management key', async () => {
    const queued = { ...job({ status: 'queued' }), status: 202 };
    const file = { status: 200, body: 'day\n' };
    const { code, out, content, asked } = await exported([queued, away, job({}), done, file]);
    equal(code, 0);
    match(out, /^The export of 2 rows is in .*usage\.csv\.\n$/);
    equal(content, 'day\n');
    const read = 'GET /v1/analytics/exports/e-1 Bearer management';
    deepEqual(asked, [
      'POST /v1/analytics/exports Bearer management',
      read,
      read,
      read,
      'GET /v1/files/svc_export_1/content Bearer management',
    ]);
  });

  test('says why there is no file', async () => {
    const failed = job({ status: 'failed', error: 'It has more than 1000000 rows' });
    const { code, out, error, content } = await exported([job({}), failed]);
    deepEqual([code, out, content], [1, '', undefined]);
    match(error, /The export failed: It has more than 1000000 rows\./);
  });

  test('ends when the API says no', async () => {
    const gone = { status: 404, body: { error: { message: 'Resource not found' } } };
    const { code, error, asked } = await exported([job({}), gone]);
    deepEqual([code, asked.length], [1, 2]);
    match(error, /This is refused \(404\)/);
  });
});
