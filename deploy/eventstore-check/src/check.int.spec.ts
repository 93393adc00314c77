import { equal, match, ok, rejects } from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '@sluice/embedded';
import { startEventStoreServer } from '@sluice/eventstore-server';
import { describe, onTestFinished, test } from 'vitest';
import { accessOf } from './access.ts';
import { compare } from './compare.ts';

const main = fileURLToPath(new URL('main.ts', import.meta.url));

async function run(url: string, only: string) {
  const env = { ...process.env, ESDB_URL: url };
  const child = spawn(process.execPath, [main, '--only', only], { env });
  onTestFinished(() => void child.kill('SIGKILL'));
  let text = '';
  for (const output of [child.stdout, child.stderr])
    output.on('data', (part: Buffer) => (text += part.toString()));
  const [status] = (await once(child, 'close')) as [number];
  return { status, text };
}

/** Starts a node for the running test. Returns its URL and the password in it. */
async function embeddedNode({ insecure = false } = {}) {
  const directory = await mkdtemp(join(tmpdir(), 'sluice-eventstore-'));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  const server = await startEventStoreServer({ directory, port: 0, insecure });
  onTestFinished(() => server.stop());
  return { url: server.url, password: new URL(server.url).password };
}

describe('the check of a server', () => {
  test.each([false, true])(
    'counts the answers that are the same, insecure: %s',
    async (insecure) => {
      const { url } = await embeddedNode({ insecure });
      const { differing, asked, report } = await compare(await accessOf(url), 'delete: ');
      equal(report, `${asked} of ${asked} answers are those of EventStoreDB 24.10.14.`);
      equal(differing, 0);
    },
  );

  test('prints each answer that differs, and its last line is the count', async () => {
    const { url } = await embeddedNode();
    const { differing, report } = await compare(await accessOf(url), 'regular expressions');
    equal(differing, 1);
    const [name, there, here, , last] = report.split('\n');
    equal(name, 'subscribe: regular expressions');
    match(String(there), /^ {2}EventStoreDB 24\.10\.14: \{"plain":1.*"lookAhead":1/);
    match(String(here), /^ {2}this server: +\{"plain":1.*"lookAhead":0/);
    equal(last, '0 of 1 answers are those of EventStoreDB 24.10.14.');
  });

  test('is refused a question that there is not', async () => {
    const { url } = await embeddedNode();
    await rejects(compare(await accessOf(url), 'no such'), /No question has 'no such' in its name/);
  });
});

describe('a server that cannot be asked', () => {
  test('is named when nothing listens there', async () => {
    const port = await freePort();
    const access = await accessOf(`esdb://127.0.0.1:${port}?tls=false`);
    await rejects(
      compare(access),
      new RegExp(`127\\.0\\.0\\.1:${port} cannot be asked: UNAVAILABLE`),
    );
  });

  test.each([
    ['of a wrong password', (url: string) => url.replace(/:[^:@]+@/, ':guess@'), /UNAUTHENTICATED/],
    ['of no user', (url: string) => url.replace(/\/\/[^@]+@/, '//'), /PERMISSION_DENIED/],
    ['of an unknown authority', (url: string) => url.replace(/&tlsCAFile=.*/, ''), /UNAVAILABLE/],
    ['it speaks TLS only', (url: string) => url.replace('tls=true', 'tls=false'), /UNAVAILABLE/],
  ])('says why: because %s', async (_reason, change, code) => {
    const { url, password } = await embeddedNode();
    const error: unknown = await compare(await accessOf(change(url))).catch((thrown) => thrown);
    ok(error instanceof Error && code.test(error.message), String(error));
    ok(!error.message.includes(password));
  });

  test.each([
    'http://127.0.0.1:2113',
    'esdb://user:secret@a:2113,b:2113?tls=false',
    'esdb://user:secret@a:2113?tls=true&tlsCAFile=/nowhere/ca.crt',
  ])('by its URL, %s, is refused in a sentence without the password', async (url) => {
    const error: unknown = await accessOf(url).catch((thrown) => thrown);
    ok(error instanceof Error && !error.message.includes('secret'), String(error));
  });
});

describe('the program', () => {
  test('exits with 0, 1 for differences and 2 for a server that is not there', async () => {
    const { url, password } = await embeddedNode();
    const same = await run(url, 'server: gossip');
    const another = await run(url, 'regular expressions');
    const away = await run(`esdb://127.0.0.1:${await freePort()}?tls=false`, '');
    equal([same, another, away].map(({ status }) => status).join(), '0,1,2', away.text);
    match(same.text, /1 of 1 answers are those of EventStoreDB/);
    match(away.text, /^127\.0\.0\.1:\d+ cannot be asked: UNAVAILABLE, .*\n$/);
    for (const { text } of [same, another, away]) ok(!text.includes(password));
  });
});
