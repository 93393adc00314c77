import { ok } from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Bus, connectBus, subjects } from '@sluice/bus';
import { ensureNatsServer, startNats } from '@sluice/embedded';
import { encodePrincipal, internalHttp, type Principal } from '@sluice/inference';
import { inMemoryEventStore } from '@sluice/es';
import { createService as createGuardrail } from '@sluice/guardrail/service';
import { createService as createLedger } from '@sluice/ledger/service';
import { CreditRecorded } from '@sluice/protos/sluice/credit/v1/credit_events';
import { testDatabase, type TestDatabase } from '@sluice/read-model/testing';
import { startRpcServer } from '@sluice/rpc';
import { createLogger, systemClock } from '@sluice/service';
import { startSimulator } from '@sluice/simulator';
import { createTelemetry } from '@sluice/telemetry';
import { afterAll, beforeAll, describe, inject, test, vi } from 'vitest';

const dollar = 1_000_000_000n;
const token = 'token-for-specs';
const clients = 500;
const routingMain = join(import.meta.dirname, '../../../services/routing/src/main.ts');
const stops: (() => unknown)[] = [];
const logger = createLogger({ service: 'spec', level: 'silent' });

let folder: string;
let database: TestDatabase;
let environment: Record<string, string>;

const principal: Principal = {
  accountId: 'acct_1',
  workspaceId: 'ws_1',
  keyHash: 'key1',
  limitNanoUsd: dollar,
  limitReset: null,
  includeByokInLimit: false,
};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hard-cap-'));
  stops.push(() => rm(folder, { recursive: true, force: true }));
  const binary = await ensureNatsServer(process.env, () => undefined);
  const nats = await startNats({ directory: join(folder, 'nats'), binary, onLog: () => undefined });
  stops.push(() => nats.stop());
  const bus = await connectBus({ url: nats.url, token: nats.token, name: 'spec', logger });
  stops.push(() => bus.stop());
  database = await testDatabase({ url: inject('postgresUrl') });
  stops.push(() => database.drop());
  const receiptsFile = join(folder, 'receipts.jsonl');
  const simulator = await startSimulator({ host: '127.0.0.1', port: 0, receiptsFile });
  stops.push(() => simulator.stop());
  const address = await startServices(bus);
  environment = {
    SLUICE_RPC_TOKEN: token,
    SLUICE_RPC_ADDRESS: '127.0.0.1:0',
    SLUICE_ADMIN_PORT: '0',
    SLUICE_LEDGER_ADDRESS: address,
    SLUICE_WORKSPACE_ADDRESS: address,
    SLUICE_GUARDRAIL_ADDRESS: address,
    SLUICE_NATS_URL: nats.url,
    SLUICE_NATS_TOKEN: nats.token,
    SLUICE_SIMULATOR_URL: simulator.url,
  };
  const credit = { creditId: 'c1', accountId: 'acct_1', entryKind: 'grant' };
  const occurredAt = '2026-11-18T12:00:00.000Z';
  const message = CreditRecorded.toJSON({ ...credit, amountNanoUsd: 100n * dollar, occurredAt });
  await bus.publishFact(subjects.creditRecorded('acct_1'), 'c1', message as object);
});
afterAll(async () => {
  for (const stop of stops.toReversed()) await stop();
});

async function startServices(bus: Bus): Promise<string> {
  const telemetry = createTelemetry({ serviceName: 'ledger', otlpEndpoint: undefined });
  const ledger = createLedger({ bus, database, logger, telemetry });
  await ledger.start();
  stops.push(() => ledger.stop());
  const onBug = (error: unknown) => {
    throw error;
  };
  const unasked = () => {
    throw new Error('an effective policy comes from the log alone');
  };
  const guardrail = createGuardrail({
    eventStore: inMemoryEventStore({ now: () => systemClock.now() }),
    database,
    bus,
    directory: {
      defaultWorkspaceId: unasked,
      workspaceExists: unasked,
      workspaceIds: unasked,
      findKeys: unasked,
      findMembers: unasked,
    },
    catalogue: { models: unasked },
    clock: systemClock,
    logger,
    telemetry,
  });
  const services = [...ledger.rpc, ...guardrail.rpc];
  const server = await startRpcServer({ services, address: '127.0.0.1:0', token, onBug });
  stops.push(() => server.stop());
  return server.address;
}

interface Replica {
  readonly url: string;
  kill(): Promise<void>;
}

async function startReplica(name: string): Promise<Replica> {
  const child: ChildProcess = spawn(process.execPath, [routingMain], {
    env: { ...environment, SLUICE_DATA_DIR: join(folder, name) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const kill = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
  };
  stops.push(kill);
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk) => {
      output += String(chunk);
    });
  const url = await vi.waitFor(
    () => {
      const found = /"address":"(http:[^"]+)"/.exec(output)?.[1];
      ok(found, output);
      return found;
    },
    { timeout: 20_000, interval: 20 },
  );
  return { url, kill };
}

/** The status; 0: the replica is gone. */
async function ask({ url }: Replica, more: object = {}): Promise<number> {
  try {
    const reply = await fetch(url + internalHttp.responsesPath, {
      method: 'POST',
      headers: {
        [internalHttp.tokenHeader]: token,
        [internalHttp.principalHeader]: encodePrincipal(principal),
        [internalHttp.requestIdHeader]: 'req-spec',
      },
      body: JSON.stringify({ model: 'sim/echo', input: '[sim:words-900]', ...more }),
    });
    await reply.arrayBuffer();
    return reply.status;
  } catch {
    return 0;
  }
}

const number = async (text: string) => {
  const [row] = await database.query<{ value: bigint }>({ text, values: [] });
  return row?.value ?? 0n;
};
const spent = () =>
  number('SELECT coalesce(sum(cost_nano_usd), 0)::bigint AS value FROM usage_facts');
/** True once the second run of a replica has said that all of the first one is counted. */
const isClosed = async () =>
  (await number(`SELECT count(*) AS value FROM replicas WHERE epoch = 2`)) === 1n &&
  (await number(
    `SELECT count(*) AS value FROM leases JOIN replicas USING (replica) WHERE leases.epoch < replicas.epoch`,
  )) === 0n;

/** Asks until it is refused; a replica that dies is left for the other one. */
async function spendAll(replicas: readonly Replica[], first: number): Promise<void> {
  let at = first;
  for (let asked = 0; asked < 1_000; asked += 1) {
    const replica = replicas[at % replicas.length];
    ok(replica);
    const status = await ask(replica, { stream: asked % 2 === 0, max_output_tokens: 1_000 });
    if (status === 402) return;
    if (status !== 200) at += 1;
  }
}

/** The most that was settled and leased of the key at any time. */
async function highestSpent(signal: AbortSignal): Promise<bigint> {
  let highest = 0n;
  while (!signal.aborted) {
    const now = await number(
      `SELECT (
         (SELECT coalesce(sum(cost_nano_usd), 0) FROM usage_facts)
         + (SELECT coalesce(sum(greatest(0, granted_nano_usd - returned_nano_usd - counted_nano_usd)), 0)
            FROM leases WHERE scope_kind = 'key')
       )::bigint AS value`,
    );
    if (now > highest) highest = now;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  return highest;
}

describe('one key of 1 USD, 500 clients, two replicas, one of them killed', () => {
  test('is never overspent, and nothing of it is lost', { timeout: 180_000 }, async () => {
    const [first, second] = [await startReplica('a'), await startReplica('b')];
    const watching = new AbortController();
    const watched = highestSpent(watching.signal);
    watched.catch(() => {});
    const spending = Array.from({ length: clients }, (_, index) =>
      spendAll([first, second], index),
    );
    await vi.waitUntil(async () => (await spent()) > dollar / 5n, { timeout: 60_000 });
    await first.kill();
    await Promise.all(spending);

    // What the dead one had on lease comes free when its next run has told all it knows.
    const third = await startReplica('a');
    await vi.waitUntil(isClosed, { timeout: 30_000 });
    let refusals = 0;
    await vi.waitUntil(
      async () => {
        const statuses = await Promise.all([ask(second), ask(third)]);
        refusals = statuses.every((status) => status === 402) ? refusals + 1 : 0;
        return refusals > 9;
      },
      { timeout: 90_000, interval: 100 },
    );
    await vi.waitUntil(async () => (await spent()) > (dollar * 99n) / 100n, { timeout: 20_000 });
    watching.abort();
    const highest = await watched;
    ok(highest <= dollar, `${highest} nano-USD`);
  });
});
