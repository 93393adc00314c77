import { equal, match, ok } from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { startSimulator, type Simulator } from '../index.ts';
import { corpus, rankPages } from './corpus.ts';

let folder: string;
let simulator: Simulator;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'simulator-web-'));
  const receiptsFile = join(folder, 'receipts.jsonl');
  simulator = await startSimulator({ host: '127.0.0.1', port: 0, receiptsFile });
});
afterAll(async () => {
  await simulator.stop();
  await rm(folder, { recursive: true });
});

function get(path: string, host: string): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    request({ host: '127.0.0.1', port: simulator.port, path, headers: { host } }, (reply) => {
      text(reply).then((body) => resolve({ status: reply.statusCode ?? 0, body }), reject);
    })
      .once('error', reject)
      .end();
  });
}

describe('the simulated web', () => {
  test('has 200 pages, each with its own address', () => {
    equal(corpus.length, 200);
    equal(new Set(corpus.map(({ url }) => url)).size, 200);
    for (const { url, title, text: words } of corpus) {
      ok(URL.canParse(url) && title.endsWith('(simulated web)') && words.length > 60, url);
    }
  });

  test('serves each page as HTML, by the name of its host and by a path', async () => {
    for (const page of corpus) {
      const { status, body } = await get(page.path, page.host);
      equal(status, 200);
      ok(body.includes(`<h1>${page.title.replaceAll('&', '&amp;')}</h1>`), page.url);
      equal((await get(`/web/${page.host}${page.path}`, '127.0.0.1')).body, body);
    }
    const { body } = await get('/', 'harbor.corpus.example');
    match(body, /<a href="\/ferry-timetable">/u);
    equal((await get('/nothing', 'harbor.corpus.example')).status, 404);
    equal((await get('/', 'nowhere.example')).status, 404);
  });

  test('ranks the page of the subject first', () => {
    const first = (query: string) => rankPages(query, { allowed: [], excluded: [] })[0]?.path;
    equal(first('When does the ferry from Pellow Harbor leave?'), '/ferry-timetable');
    equal(first('capital of Mongolia'), '/mongolia');
    equal(first('what is back-pressure'), '/back-pressure');
    equal(first('zzzz'), undefined);
  });
});
