import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSimulator } from '@sluice/simulator';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { eventually, json, list, raw, streamed, text } from './http.ts';
import { freePort } from '@sluice/embedded';
import { type Instance, runToExit, startInstance } from './instance.ts';

let directory: string;
let provider: Awaited<ReturnType<typeof startSimulator>>;
let sluice: Instance;
/** Refuses each request and repeats it in its reason, as some providers do. */
let quoting: Server;

const catalog = (url: string, quotingPort: number) => `
providers:
  - { slug: mine, name: My own, dialect: openai-chat, base_url: '${url}', api_key_env: MY_OWN_KEY }
  - { slug: quoting, name: Quoting, dialect: openai-chat, base_url: 'http://127.0.0.1:${quotingPort}/v1' }
  - { slug: away, name: Not there, dialect: openai-chat, base_url: 'http://127.0.0.1:1/v1' }
models:
  - id: mine/small
    context_length: 8192
    max_output_tokens: 1024
    provider: mine
    upstream_model: echo
    pricing: { prompt: '0.0000000375', completion: '0.00000015' }
  - { id: quoting/one, provider: quoting, upstream_model: one, pricing: { prompt: '0', completion: '0' } }
  - id: mine/second-choice
    context_length: 8192
    max_output_tokens: 1024
    endpoints:
      - { provider: away, upstream_model: echo, pricing: { prompt: '0.00001', completion: '0.00001' } }
      - { provider: mine, upstream_model: echo, pricing: { prompt: '0', completion: '0.000001' } }
`;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'sluice-provider-'));
  const receiptsFile = join(directory, 'receipts.jsonl');
  provider = await startSimulator({ host: '127.0.0.1', port: 0, receiptsFile });
  quoting = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => (body += String(chunk)));
    request.on('end', () =>
      response.writeHead(400).end(JSON.stringify({ error: { message: `Not good: ${body}` } })),
    );
  }).listen(0, '127.0.0.1');
  await once(quoting, 'listening');
  const { port } = quoting.address() as AddressInfo;
  await writeFile(join(directory, 'catalog.yaml'), catalog(provider.url, port));
  sluice = await startInstance({
    SLUICE_CATALOG: join(directory, 'catalog.yaml'),
    MY_OWN_KEY: 'a-secret-of-the-provider',
  });
});
afterAll(async () => {
  await sluice?.dispose();
  await provider?.stop();
  quoting?.close();
  await rm(directory, { recursive: true, force: true });
});

describe('a provider of the catalog file', () => {
  test('lists its models and serves them, whole and streamed', async () => {
    const { body } = await json(sluice, '/models', { key: null });
    const models = list(body['data']);
    deepEqual(
      models.map(({ id }) => text(id)).filter((id) => id.startsWith('mine/')),
      ['mine/small', 'mine/second-choice'],
    );
    const request = { model: 'mine/small', input: 'Hello' };
    const whole = await json(sluice, '/responses', { body: request });
    equal(whole.status, 200, JSON.stringify(whole.body));
    equal(whole.body['output_text'], 'You said: Hello');
    const { events } = await streamed(
      await raw(sluice, '/responses', { body: { ...request, stream: true } }),
    );
    equal(events.at(-1)?.data['response']?.['output_text'], 'You said: Hello');
  });

  test('is billed at its price, rounded half up to the nano-USD once', async () => {
    const { body } = await json(sluice, '/responses', {
      body: { model: 'mine/small', input: 'four bytes each' },
    });
    const { input_tokens: input, output_tokens: output, cost } = body['usage'] ?? {};
    const tenthsOfNano = Number(input) * 375 + Number(output) * 1500;
    equal(Math.round(Number(cost) * 1e9), Math.floor((tenthsOfNano + 5) / 10));
  });

  test('is tried after one that does not answer, and sets the price', async () => {
    const { status, body } = await json(sluice, '/responses', {
      body: { model: 'mine/second-choice', input: 'x' },
    });
    equal(status, 200, JSON.stringify(body));
    equal(
      Math.round(Number(body['usage']?.['cost']) * 1e9),
      Number(body['usage']?.['output_tokens']) * 1000,
    );
  });

  test('keeps its key out of every log and file of ours', async () => {
    await json(sluice, '/responses', { body: { model: 'mine/small', input: '[sim:error-500]' } });
    const log = await readFile(join(sluice.dataDirectory, 'logs', 'sluice.log'), 'utf8');
    ok(log.length > 0);
    ok(!log.includes('a-secret-of-the-provider'));
    for (const key of [sluice.bootstrap.api_key, sluice.bootstrap.management_key])
      ok(!log.includes(key));
  });

  test('that quotes a request in its refusal reaches the client, not by the log', async () => {
    const body = { model: 'quoting/one', input: 'a canary of a prompt' };
    const answer = await json(sluice, '/responses', { body });
    equal(answer.status, 400);
    match(text(answer.body['error']?.['message']), /a canary of a prompt/);
    const id = text(answer.headers.get('x-request-id'));
    const log = await eventually(
      () => readFile(join(sluice.dataDirectory, 'logs', 'sluice.log'), 'utf8'),
      (lines) => lines.includes(id),
    );
    ok(!log.includes('canary'));
  });

  test('that the file describes wrongly keeps Sluice from starting, with the place', async () => {
    const file = join(directory, 'wrong.yaml');
    await writeFile(file, catalog(provider.url, 1).replace("'0.0000000375'", '-1'));
    const { code, output } = await runToExit({
      SLUICE_DATA_DIR: join(directory, 'data'),
      SLUICE_PORT: String(await freePort()),
      SLUICE_ADMIN_PORT: String(await freePort()),
      SLUICE_CATALOG: file,
    });
    equal(code, 1);
    match(output, /models[./[]0.*pricing.*prompt/);
    ok(!/\bat .*\.ts:\d/.test(output), output);
  });
});
