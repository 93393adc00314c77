import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Receipt, type SearchReceipt, startSimulator } from '@sluice/simulator';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { type Collector, startCollector } from './collector.ts';
import { type Answer, eventually, json, manage, raw, streamed, text } from './http.ts';
import { type Instance, startInstance } from './instance.ts';
import { foundIn, foundInText } from './secret-search.ts';
import { sluice as commandLine } from './sluice.ts';
import { startUsageConsumer } from './usage-consumer.ts';

let directory: string;
let provider: Awaited<ReturnType<typeof startSimulator>>;
let collector: Collector;
let sluice: Instance;

/** A tenth of a dollar per token, so that an allowance of a dollar is used up by the second answer. */
const pricing = "{ prompt: '0.1', completion: '0.1' }";
const catalog = (url: string) => `
providers:
  - { slug: openai, name: OpenAI, dialect: openai-responses, base_url: '${url}', api_key_env: PLATFORM_KEY }
  - { slug: mistral, name: Mistral, dialect: openai-chat, base_url: '${url}', byok_only: true }
  - { slug: own-server, name: Our server, dialect: openai-chat, base_url: '${url}', byok_only: true }
models:
  - { id: openai/echo, max_output_tokens: 1024, provider: openai, upstream_model: echo, pricing: ${pricing} }
  - { id: openai/free-echo, max_output_tokens: 1024, provider: openai, upstream_model: echo, pricing: { prompt: '0', completion: '0' } }
  - { id: mistral/echo, max_output_tokens: 1024, provider: mistral, upstream_model: echo, pricing: ${pricing} }
  - { id: own-server/echo, max_output_tokens: 1024, provider: own-server, upstream_model: echo, pricing: ${pricing} }
`;
const platformKey = 'sk-of-the-platform';

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'sluice-own-'));
  const receiptsFile = join(directory, 'receipts.jsonl');
  provider = await startSimulator({ host: '127.0.0.1', port: 0, receiptsFile });
  await writeFile(join(directory, 'catalog.yaml'), catalog(provider.url));
  collector = await startCollector();
  sluice = await startInstance({
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    SLUICE_CATALOG: join(directory, 'catalog.yaml'),
    SLUICE_SIMULATOR: 'on',
    PLATFORM_KEY: platformKey,
    SLUICE_BYOK_ALLOWANCE_USD: '1',
    // The simulator speaks the API of the engine, too.
    EXA_BASE_URL: new URL('/exa', provider.url).href,
  });
});
afterAll(async () => {
  await sluice?.dispose();
  await provider?.stop();
  await collector?.stop();
  await rm(directory, { recursive: true, force: true });
});

/** Everything that was answered, and every key that must be found nowhere. */
const answers: string[] = [];
const keys = new Map<string, string>();
const newSecret = (suffix = '') => {
  const key = `sk-own-${randomBytes(24).toString('base64url')}${suffix}`;
  keys.set(`key ${keys.size + 1}`, key);
  return key;
};

async function add(more: object = {}): Promise<{ readonly id: string; readonly key: string }> {
  const key = newSecret();
  const body = { provider: 'openai', key, ...more };
  const answer = await manage(sluice, '/byok', { body });
  equal(answer.status, 201, JSON.stringify(answer.body));
  return { id: text(answer.body['data']?.['id']), key };
}
const patch = (id: string, body: object) =>
  manage(sluice, `/byok/${id}`, { method: 'PATCH', body });
const remove = (id: string) => manage(sluice, `/byok/${id}`, { method: 'DELETE' });
const ask = async (more: object = {}, key = sluice.bootstrap.api_key): Promise<Answer> => {
  const body = { model: 'openai/echo', input: 'hello', max_output_tokens: 16, ...more };
  const answer = await json(sluice, '/responses', { key, body });
  answers.push(JSON.stringify(answer.body));
  return answer;
};
const isByok = ({ body }: Answer) => body['usage']?.['is_byok'] === (true as never);
const becomes = (wanted: boolean, more: object = {}) =>
  eventually(
    () => ask(more),
    (answer) => answer.status === 200 && isByok(answer) === wanted,
  );
const digest = (key: string) => createHash('sha256').update(key).digest('hex');
async function lastKeyUsed(): Promise<string | undefined> {
  const lines = (await readFile(join(directory, 'receipts.jsonl'), 'utf8')).trim().split('\n');
  return (JSON.parse(lines.at(-1) ?? '{}') as Partial<Receipt>).credential_sha256;
}
const nanoUsd = (usd: unknown) => Math.round(Number(usd) * 1e9);
const issue = async (more: object) => {
  const { body } = await manage(sluice, '/keys', { body: { name: 'limited', ...more } });
  return { key: text(body['key']), hash: text(body['data']?.['hash']) };
};

describe('a provider credential of the account', () => {
  test('is called with from its addition on, and no more once it is disabled', async () => {
    equal(isByok(await ask()), false);
    equal(await lastKeyUsed(), digest(platformKey));
    const { id, key } = await add();
    const answer = await becomes(true);
    equal(await lastKeyUsed(), digest(key));
    const generation = text(answer.headers.get('x-generation-id'));
    const { body } = await eventually(
      () => json(sluice, `/generation?id=${generation}`),
      ({ status }) => status === 200,
    );
    equal(body['data']?.['is_byok'], true);
    ok(Number(body['data']?.['upstream_inference_cost']) > 0);
    await patch(id, { disabled: true });
    await becomes(false);
    equal(await lastKeyUsed(), digest(platformKey));
    const next = newSecret();
    await patch(id, { disabled: false, key: next });
    await becomes(true);
    equal(await lastKeyUsed(), digest(next));
    equal((await remove(id)).status, 200);
    await becomes(false);
  });

  test('costs a fee on what is beyond the allowance, and the books say the same', async () => {
    const { id } = await add();
    const { key, hash } = await issue({});
    await becomes(true);
    const used = { fee: 0, list: 0 };
    for (let number = 0; number < 4; number++) {
      const { body } = await ask({}, key);
      used.fee += nanoUsd(body['usage']?.['cost']);
      used.list += nanoUsd(body['usage']?.['cost_details']?.['upstream_inference_cost']);
    }
    const last = await ask({}, key);
    const { cost, cost_details: details } = last.body['usage'] ?? {};
    const list = nanoUsd(details?.['upstream_inference_cost']);
    equal(nanoUsd(cost) * 20, list);
    const { body } = await eventually(
      () => manage(sluice, `/keys/${hash}`),
      (answer) => nanoUsd(answer.body['data']?.['byok_usage']) === used.list + list,
    );
    equal(nanoUsd(body['data']?.['usage']), used.fee + nanoUsd(cost));
    equal(nanoUsd(body['data']?.['byok_usage_monthly']), used.list + list);
    await remove(id);
    await becomes(false);
  });

  test('counts against a key limit with the flag and not without it', async () => {
    const { id } = await add({ is_required: true });
    await becomes(true);
    const limited = { limit: 5 };
    const without = await issue({ ...limited, include_byok_in_limit: false });
    equal((await ask({}, without.key)).status, 200);
    const included = await issue({ ...limited, include_byok_in_limit: true });
    const refused = await ask({}, included.key);
    equal(refused.status, 402, JSON.stringify(refused.body));
    match(text(refused.body['error']?.['metadata']?.['reason']), /key_limit_exceeded/);
    await remove(id);
    await becomes(false);
  });

  test('counts against the budget of a workspace with the flag and not without it', async () => {
    const { id } = await add({ is_required: true });
    await becomes(true);
    const budget = (include_byok_in_budgets: boolean) =>
      manage(sluice, `/workspaces/${sluice.bootstrap.workspace_id}/budgets/daily`, {
        method: 'PUT',
        body: { limit_usd: 12, include_byok_in_budgets },
      });
    equal((await budget(true)).status, 200);
    const refused = await eventually(
      () => ask(),
      ({ status }) => status === 403,
    );
    equal(refused.body['error']?.['metadata']?.['reason'], 'workspace_budget_exceeded' as never);
    equal((await budget(false)).status, 200);
    await becomes(true);
    await manage(sluice, `/workspaces/${sluice.bootstrap.workspace_id}/budgets/daily`, {
      method: 'DELETE',
    });
    await remove(id);
    await becomes(false);
  });

  test.each(['mistral', 'own-server'])(
    'serves a provider that the platform has no key for, well-known or not: %s',
    async (slug) => {
      const model = `${slug}/echo`;
      equal((await ask({ model })).status, 404);
      const { id, key } = await add({ provider: slug });
      await becomes(true, { model });
      equal(await lastKeyUsed(), digest(key));
      await remove(id);
    },
  );

  test('can be tried with the simulator, and with no provider that there is not', async () => {
    const model = 'sim/echo';
    equal(isByok(await ask({ model })), false);
    const { id } = await add({ provider: 'simulator' });
    await becomes(true, { model });
    const listed = await manage(sluice, '/byok?provider=simulator');
    equal(listed.body['total_count'], 1);
    await remove(id);
    await becomes(false, { model });
    const unknown = await manage(sluice, '/byok', {
      body: { provider: 'own-servr', key: newSecret() },
    });
    equal(unknown.status, 400);
    match(text(unknown.body['error']?.['message']), /there is no provider own-servr/);
  });

  test('is for the keys that it names', async () => {
    const { key, hash } = await issue({});
    const { id } = await add({ allowed_api_key_hashes: [hash] });
    await eventually(() => ask({}, key), isByok);
    equal(isByok(await ask()), false);
    await remove(id);
  });
});

describe('a credential for a search engine', () => {
  const searching = {
    model: 'openai/free-echo',
    input: 'call service_web_search Which moons does Saturn have?',
    max_output_tokens: 512,
    tools: [{ type: 'service:web_search' }],
  };
  /** Exa's list price of a search. */
  const list = 7_000_000;

  test('searches, and its account pays the engine: the books say so', async () => {
    const { key, hash } = await issue({});
    const { id, key: secret } = await add({ provider: 'exa' });
    const used = await eventually(
      async () => {
        await ask(searching, key);
        return (await manage(sluice, `/keys/${hash}`)).body['data'];
      },
      (data) => Number(data?.['byok_usage']) > 0,
    );
    // The searches before the credential was known were those of the simulator, which credits pay.
    const before = nanoUsd(used?.['usage']);
    const answer = await ask(searching, key);
    const { cost, cost_details: details } = answer.body['usage'] ?? {};
    deepEqual([cost, details?.['server_tool_cost']], [0, 0]);
    const lines = (await readFile(join(directory, 'receipts-searches.jsonl'), 'utf8'))
      .trim()
      .split('\n');
    const own = lines
      .map((line) => JSON.parse(line) as Partial<SearchReceipt>)
      .filter(({ engine }) => engine === 'exa');
    equal(own.at(-1)?.credential_sha256, digest(secret));
    const { body } = await eventually(
      () => manage(sluice, `/keys/${hash}`),
      ({ body: now }) => nanoUsd(now['data']?.['byok_usage']) === own.length * list,
    );
    equal(nanoUsd(body['data']?.['usage']), before);
    await remove(id);
  });

  test('that is refused is found nowhere, and the engine of the platform answers', async () => {
    const { id } = await add({ provider: 'exa', key: newSecret('-sim-error-401') });
    const answer = await ask(searching);
    equal(answer.status, 200, JSON.stringify(answer.body));
    await remove(id);
  });

  test.each(['exa', 'parallel', 'firecrawl', 'perplexity', 'tavily', 'brave'])(
    'is taken and told: %s',
    async (slug) => {
      const { id } = await add({ provider: slug });
      const listed = await manage(sluice, `/byok?provider=${slug}`);
      equal(listed.body['total_count'], 1);
      await remove(id);
    },
  );
});

describe('the example consumer of usage', () => {
  const credits = (words: string) =>
    commandLine(sluice, [
      'credits',
      ...words.split(' '),
      '--account',
      sluice.bootstrap.organization_id,
    ]);

  test('comes to what credits paid, with own credentials, tools, cached answers, estimates and refunds', async () => {
    equal((await credits('purchase 100 --id bought')).code, 0);
    equal((await credits('refund 1 --purchase bought')).code, 0);
    const body = { model: 'openai/echo', input: 'twice', max_output_tokens: 16 };
    const headers = { 'x-service-cache': 'true' };
    await eventually(
      () => json(sluice, '/responses', { body, headers }),
      ({ status }) => status === 200,
    );
    const again = await json(sluice, '/responses', { body, headers });
    equal(again.headers.get('x-service-cache-status'), 'HIT');
    // No usage comes with it: it is booked as an estimate, and the provider is asked later.
    await ask({ input: '[sim:no-usage] hello' });
    const own = await add({});
    await eventually(() => ask(), isByok);
    await remove(own.id);
    const searched = await ask({
      model: 'openai/free-echo',
      input: 'call service_web_search Which moons does Saturn have?',
      max_output_tokens: 512,
      tools: [{ type: 'service:web_search' }],
    });
    equal(searched.body['usage']?.['server_tool_use_details']?.['tool_calls_executed'], 1);

    const paid = async () =>
      BigInt(nanoUsd((await manage(sluice, '/credits')).body['data']?.['total_usage']));
    const first = await startUsageConsumer(sluice.dataDirectory, directory);
    await eventually(
      () => Promise.resolve().then(() => first.nanoUsd()),
      (sum) => sum > 0n,
    );
    await first.kill();
    await ask({ input: 'while it is away' });
    const second = await startUsageConsumer(sluice.dataDirectory, directory);
    try {
      await eventually(paid, (total) => total > 0n && total === second.nanoUsd());
    } finally {
      await second.kill();
    }
  });
});

describe('a key that was used', () => {
  test('is found nowhere, also where the provider says it again; and the books verify', async () => {
    const canary = async (status: number, more: object = {}) => {
      const { id } = await add({ key: newSecret(`-sim-error-${status}`), ...more });
      return id;
    };
    const first = await canary(401);
    const second = await canary(402);
    await eventually(
      () => ask(),
      (answer) => answer.status === 200 && !isByok(answer),
    );
    await remove(first);
    await remove(second);
    const strict = await canary(400, { is_required: true });
    await eventually(
      () => ask(),
      ({ status }) => status === 400,
    );
    const response = await raw(sluice, '/responses', {
      body: { model: 'openai/echo', input: 'hello', stream: true },
    });
    answers.push(await response.clone().text());
    await streamed(response);
    await remove(strict);
    const good = await add({ key: newSecret('-sim-named') });
    await becomes(true);
    await ask({ input: '[sim:fail-1] hello' });
    await remove(good.id);
    const verified = await eventually(
      () => commandLine(sluice, ['ledger', 'rebuild', '--verify']),
      ({ code }) => code === 0,
    );
    equal(verified.code, 0, verified.out);
    await sluice.stop();
    deepEqual(
      answers.filter((answer) => foundInText(answer, keys).length > 0),
      [],
    );
    const traces = collector.received.join('\n');
    ok(traces.includes('chat openai/echo'), 'no call was traced');
    deepEqual(foundInText(traces, keys), []);
    deepEqual(foundInText(sluice.output(), keys), []);
    deepEqual(await foundIn(sluice.dataDirectory, keys), []);
  });
});
