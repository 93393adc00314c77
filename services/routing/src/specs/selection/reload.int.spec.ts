import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inMemoryBus } from '@sluice/bus';
import type { LogFields } from '@sluice/logging';
import { systemClock, systemIds } from '@sluice/clock-and-ids';
import { startSimulator } from '@sluice/simulator';
import { createTelemetry } from '@sluice/telemetry';
import { test } from 'vitest';
import { openService } from '../../compose/open-service.ts';
import { inMemoryCredentials } from '../../testing/in-memory-credentials.ts';
import { inMemoryLedger } from '../../testing/in-memory-ledger.ts';
import { inMemoryPolicies } from '../../testing/in-memory-policies.ts';
import { eventually, somebody, textOf } from '../../testing/routing-harness.ts';

const workers = 8;
/** USD of an output token, by the edition of the catalog; the input costs nothing. */
const editions = ['0.000001', '0.000002', '0.000003'] as const;

const catalog = (url: string, completion: string, more: readonly string[] = []) =>
  JSON.stringify({
    providers: [{ slug: 'simulated', name: 'Simulated', dialect: 'openai-chat', base_url: url }],
    models: ['mine/one', ...more].map((id) => ({
      id,
      provider: 'simulated',
      upstream_model: 'echo',
      pricing: { prompt: '0', completion },
    })),
  });

/** Routing as it runs, on a file that changes. */
async function world() {
  const folder = await mkdtemp(join(tmpdir(), 'reload-'));
  const file = join(folder, 'catalog.yaml');
  const write = async (text: string) => {
    await writeFile(`${file}.new`, text);
    await rename(`${file}.new`, file);
  };
  const simulator = await startSimulator({
    host: '127.0.0.1',
    port: 0,
    receiptsFile: join(folder, 'receipts.jsonl'),
  });
  await write(catalog(simulator.url, editions[0]));
  const bus = inMemoryBus();
  const ledger = inMemoryLedger(100_000_000_000n);
  const consuming = new AbortController();
  const consumed = ledger.consume(bus, consuming.signal);
  const telemetry = createTelemetry({ serviceName: 'routing', otlpEndpoint: undefined });
  const errors: LogFields[] = [];
  const nothing = () => {};
  const error = (_message: string, fields: LogFields = {}) => void errors.push(fields);
  const logger = { debug: nothing, info: nothing, warn: nothing, error };
  const service = await openService({
    env: { SLUICE_CATALOG: file },
    directory: join(folder, 'routing'),
    onFatal: nothing,
    ledger,
    policies: inMemoryPolicies(),
    credentials: inMemoryCredentials(),
    bus,
    clock: systemClock,
    ids: systemIds,
    logger: { ...logger, child: () => logger } as unknown as Parameters<
      typeof openService
    >[0]['logger'],
    telemetry,
  });
  await service.start();
  return {
    url: simulator.url,
    write,
    ledger,
    service,
    errors,
    metric: async (name: string, value: number) =>
      (await telemetry.prometheus())
        .split('\n')
        .some((line) => line.startsWith(name) && line.endsWith(` ${String(value)}`)),
    async stop() {
      await service.stop();
      consuming.abort();
      await consumed;
      await bus.stop();
      await telemetry.stop();
      await simulator.stop();
      await rm(folder, { recursive: true });
    },
  };
}
type World = Awaited<ReturnType<typeof world>>;

async function ask({ service }: World, model: string, stream: boolean) {
  const reply = await service.inference.createResponse({
    dialect: 'responses',
    principal: somebody,
    requestId: 'req-test',
    body: Buffer.from(JSON.stringify({ model, input: 'one two three', stream })),
    signal: new AbortController().signal,
  });
  const text = await textOf(reply);
  const isWhole = !stream || text.includes('"type":"response.completed"');
  return { status: reply.status, isWhole, text };
}

async function listed({ service }: World): Promise<readonly string[]> {
  const question = { view: 'models', parameters: {}, reportsMeasured: false } as const;
  const list = JSON.parse(await textOf(await service.inference.readCatalog(question))) as {
    readonly data: readonly { readonly id: string }[];
  };
  return list.data.map(({ id }) => id).filter((id) => !id.startsWith('service/'));
}

test('under requests a new catalog drops none, and a wrong one leaves the old one and says so', async () => {
  const routing = await world();
  const over = new AbortController();
  let asked = 0;
  const failures: string[] = [];
  const work = async () => {
    while (!over.signal.aborted) {
      asked += 1;
      const { status, isWhole, text } = await ask(routing, 'mine/one', asked % 2 === 0);
      if (status !== 200 || !isWhole) failures.push(`${status}: ${text}`);
    }
  };
  const working = Array.from({ length: workers }, work);
  try {
    await eventually(() => asked > workers || undefined, 'requests');
    equal((await ask(routing, 'mine/two', false)).status, 400);

    await routing.write(catalog(routing.url, editions[1], ['mine/two']));
    await eventually(() => routing.metric('catalog_reloads_total{outcome="taken"', 1), 'a reload');
    deepEqual(await listed(routing), ['mine/one', 'mine/two']);
    equal((await ask(routing, 'mine/two', false)).status, 200);

    await routing.write(catalog(routing.url, 'cheap', ['mine/three']));
    await eventually(
      () => routing.metric('catalog_reloads_total{outcome="refused"', 1),
      'a refusal',
    );
    ok(await routing.metric('catalog_refused', 1));
    match(String(routing.errors[0]?.error), /models\[0\]\.endpoints\[0\]\.pricing\.completion/);
    deepEqual(await listed(routing), ['mine/one', 'mine/two']);
    equal((await ask(routing, 'mine/two', true)).status, 200);

    await routing.write(catalog(routing.url, editions[2]));
    await eventually(() => routing.metric('catalog_reloads_total{outcome="taken"', 2), 'a reload');
    ok(await routing.metric('catalog_refused', 0));
    ok(await routing.metric('catalog_models', 1));
    const before = asked;
    await eventually(() => asked > before + workers || undefined, 'requests at the last price');
    over.abort();
    await Promise.all(working);
    deepEqual(failures, []);
    const ones = () => routing.ledger.facts.filter(({ model }) => model === 'mine/one');
    await eventually(() => ones().length === asked || undefined, 'all facts');
    // Each at the price of one edition, and of each edition some.
    const prices = new Set(ones().map((fact) => fact.costNanoUsd / fact.outputTokens));
    deepEqual(prices, new Set([1_000n, 2_000n, 3_000n]));
    ok(ones().every((fact) => fact.costNanoUsd % fact.outputTokens === 0n));
  } finally {
    over.abort();
    await Promise.allSettled(working);
    await routing.stop();
  }
});
