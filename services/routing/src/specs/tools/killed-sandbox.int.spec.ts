import { equal, match } from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { until } from '@sluice/patience';
import { SandboxServiceService } from '@sluice/protos/sluice/sandbox/v1/sandbox';
import { rpcClient } from '@sluice/rpc';
import { bareEnvironment } from '@sluice/testing/bare-environment';
import { afterAll, beforeAll, test } from 'vitest';
import {
  eventually,
  type RoutingHarness,
  routingHarness,
  textOf,
} from '../../testing/routing-harness.ts';

// A true sandbox as a process of its own, which is killed while a request waits for a command in it.

const services = join(import.meta.dirname, '..', '..', '..', '..');
const token = 'token-of-the-killed-sandbox';
const seconds = '76543';

let directory: string;
let child: ChildProcess;
let engine = '';
let client: ReturnType<typeof clientAt>;
let routing: RoutingHarness;

const clientAt = (address: string) =>
  rpcClient(SandboxServiceService, { address, token, deadlineMs: 600_000 });

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'sluice-killed-sandbox-'));
  child = spawn(process.execPath, [join(services, 'sandbox', 'src', 'main.ts')], {
    env: {
      ...bareEnvironment,
      SLUICE_RPC_TOKEN: token,
      SLUICE_ADMIN_PORT: '0',
      SLUICE_DATA_DIR: directory,
      SLUICE_SANDBOX_ENGINE: 'bubblewrap',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const { promise, resolve } = Promise.withResolvers<string>();
  createInterface({ input: child.stdout as NodeJS.ReadableStream }).on('line', (line) => {
    if (line.includes('"address"')) resolve((JSON.parse(line) as { address: string }).address);
  });
  client = clientAt(await promise);
  ({ engine } = await client.describeEngine({}));
  const catalogFile = () => 'tool_prices: [{ tool: "service:shell", second: "0.001" }]';
  routing = await routingHarness({ sandbox: client, catalogFile });
});
afterAll(async () => {
  client.close();
  child.kill('SIGKILL');
  await routing.stop();
  await rm(directory, { recursive: true, force: true });
});

test('a sandbox that is killed is a result for the model, costs nothing, and leaves no process', async ({
  skip,
}) => {
  if (engine === '') skip('no sandbox works on this machine');
  const command = JSON.stringify({ commands: [`sleep ${seconds}`] });
  const body = {
    model: 'sim/echo',
    input: `agent:call service_shell ${command} then say done`,
    tools: [{ type: 'service:shell', parameters: {} }],
  };
  const asked = routing.call(body, { dialect: 'responses' });
  await until(async () => (await processesWith(seconds)) > 0);
  child.kill('SIGKILL');
  const reply = await asked;
  const text = await textOf(reply);
  equal(reply.status, 200, text);
  match(text, /"status":"failed"[^]*sandbox unavailable|sandbox unavailable[^]*"status":"failed"/);
  match(text, /done/);
  const id = reply.headers['x-generation-id'] ?? '';
  const fact = await eventually(
    () => routing.ledger.facts.find(({ usageId }) => usageId === `${id}/tool/1`),
    'the fact of the call',
  );
  equal(fact?.costNanoUsd, 0n, 'no command has ended, so that no second is metered');
  await until(async () => (await processesWith(seconds)) === 0);
});

async function processesWith(argument: string): Promise<number> {
  const texts = await Promise.all(
    (await readdir('/proc'))
      .filter((name) => /^\d+$/.test(name))
      .map((name) => readFile(`/proc/${name}/cmdline`, 'latin1').catch(() => '')),
  );
  return texts.filter((line) => line.includes(argument)).length;
}
