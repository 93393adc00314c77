import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { connectBus, subjects } from '@sluice/bus';
import { Fault } from '@sluice/errors';
import { eventually } from '@sluice/patience';
import { AccountServiceService } from '@sluice/protos/sluice/account/v1/account';
import { GuardrailServiceService } from '@sluice/protos/sluice/guardrail/v1/guardrail';
import { KeyServiceService } from '@sluice/protos/sluice/key/v1/key';
import { LedgerServiceService } from '@sluice/protos/sluice/ledger/v1/ledger';
import { StandingServiceService } from '@sluice/protos/sluice/standing/v1/standing';
import { WorkspaceServiceService } from '@sluice/protos/sluice/workspace/v1/workspace';
import {
  type Calls,
  implement,
  type RpcService,
  startRpcServer,
  type RpcDefinition,
} from '@sluice/rpc';
import { systemClock } from '@sluice/clock-and-ids';
import { bareEnvironment } from '@sluice/testing/bare-environment';
import { afterAll, beforeAll, describe, inject, test } from 'vitest';
import { organizationId, recordingLogger, workspaceId } from './testing/gateway-world.ts';
import { inMemoryAccounts } from './testing/in-memory-accounts.ts';
import { inMemoryLedger, organizationKind } from './testing/in-memory-books.ts';
import { inMemoryKeys } from './testing/in-memory-keys.ts';
import { inMemoryPolicies } from './testing/in-memory-policies.ts';
import { inMemoryWorkspaces } from './testing/in-memory-workspaces.ts';

const token = 'a-token-of-the-spec';
const main = join(import.meta.dirname, 'main.ts');
const stops: (() => unknown)[] = [];
const keys = inMemoryKeys({ [organizationId]: [workspaceId] }, systemClock);
const { key, secret } = keys.add({ accountId: organizationId });
let gateway: { child: ChildProcess; output: () => string };
let url = '';
let adminPort = 0;
/** The reasons for which the other services serve only a part. */
let degradation: string[] = [];

beforeAll(async () => {
  const rpc = await startNeighbours();
  const routing = await startRouting();
  adminPort = await freePort();
  gateway = run({
    SLUICE_PORT: '0',
    SLUICE_ADMIN_PORT: String(adminPort),
    SLUICE_NATS_URL: inject('natsUrl'),
    SLUICE_NATS_TOKEN: inject('natsToken'),
    SLUICE_RPC_TOKEN: token,
    SLUICE_ACCOUNT_ADDRESS: rpc,
    SLUICE_KEY_ADDRESS: rpc,
    SLUICE_LEDGER_ADDRESS: rpc,
    SLUICE_WORKSPACE_ADDRESS: rpc,
    SLUICE_GUARDRAIL_ADDRESS: rpc,
    SLUICE_ROUTING_URL: routing,
  });
  url = await eventually(() => {
    const found = /"address":"(http:[^"]+)"/.exec(gateway.output())?.[1];
    ok(found, gateway.output());
    return found;
  });
});

afterAll(async () => {
  for (const stop of stops.toReversed()) await stop();
});

const use = () => fetch(`${url}/v1/key`, { headers: { authorization: `Bearer ${secret}` } });

describe('the gateway as a process of its own', () => {
  test('asks its neighbours over gRPC and routing over HTTP', async () => {
    const reply = await use();
    equal(reply.status, 200);
    equal(((await reply.json()) as { data: { label: string } }).data.label, key.label);
    const models = await fetch(`${url}/v1/models`);
    equal(await models.text(), '{"data":[]}');
  });

  test('names in its readiness why another service serves only a part', async () => {
    const readiness = async () => {
      const reply = await fetch(`http://127.0.0.1:${adminPort}/readyz`);
      return { status: reply.status, body: await reply.json() };
    };
    await eventually(async () => deepEqual((await readiness()).body, { status: 'ready' }));
    const reason = 'event_store_diverged: the event store is empty';
    degradation = [reason];
    await eventually(async () =>
      deepEqual(await readiness(), {
        status: 200,
        body: { status: 'degraded', reasons: [reason] },
      }),
    );
    degradation = [];
    await eventually(async () => deepEqual((await readiness()).body, { status: 'ready' }));
  });

  test('refuses a key within a second of its change', async () => {
    equal((await use()).status, 200);
    const context = { accountId: organizationId } as never;
    const unchanged = { name: undefined, includeByokInLimit: undefined, limitReset: undefined };
    const change = { ...unchanged, limit: undefined, disabled: true };
    await keys.calls.updateKey({ context, hash: key.hash, ...change });
    equal((await use()).status, 200, 'it cannot know yet');
    const bus = await connectBus({
      url: inject('natsUrl'),
      token: inject('natsToken'),
      name: 'spec',
      logger: recordingLogger(),
    });
    bus.publish(subjects.keyChanged(key.hash), { hash: key.hash, accountId: organizationId });
    // Far sooner than by the age of what it knows.
    await eventually(async () => equal((await use()).status, 401), { sameLooksMax: 50 });
    await bus.stop();
  });

  test('ends by itself when it is asked to', async () => {
    const exited = once(gateway.child, 'exit');
    gateway.child.kill('SIGTERM');
    const [code] = (await exited) as [number | null];
    equal(code, 0);
    equal(gateway.output().includes(secret), false);
    equal(gateway.output().includes(token), false);
  });

  test('does not start without its settings, and names them', async () => {
    const { child, output } = run({});
    const [code] = (await once(child, 'exit')) as [number | null];
    equal(code, 1);
    match(output(), /SLUICE_RPC_TOKEN/);
  });
});

function run(env: Record<string, string>) {
  const child = spawn(process.execPath, [main], {
    env: { ...bareEnvironment, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  stops.push(() => child.kill('SIGKILL'));
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      text += String(chunk);
    });
  return { child, output: () => text };
}

/** The neighbours, as far as they are asked here; whatever else is asked fails. */
async function startNeighbours(): Promise<string> {
  const account = { accountId: organizationId, kind: organizationKind, ownerUserId: '' };
  const server = await startRpcServer({
    services: [
      answering(KeyServiceService, keys.calls),
      answering(LedgerServiceService, inMemoryLedger().calls),
      answering(AccountServiceService, inMemoryAccounts([account]).calls),
      answering(WorkspaceServiceService, inMemoryWorkspaces().calls),
      answering(GuardrailServiceService, inMemoryPolicies().calls),
      answering(StandingServiceService, { getStanding: async () => ({ degradation }) }),
    ],
    address: '127.0.0.1:0',
    token,
    onBug: () => {},
  });
  stops.push(() => server.stop());
  return server.address;
}

function answering<Definition extends RpcDefinition>(
  definition: Definition,
  calls: Partial<Calls<Definition>>,
): RpcService {
  const notAsked = () => Promise.reject(new Fault('not_implemented'));
  const none = Object.fromEntries(Object.keys(definition).map((name) => [name, notAsked]));
  return implement(definition, { ...none, ...calls });
}

async function freePort(): Promise<number> {
  const server = createServer();
  await listening(server);
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

async function listening(server: Server): Promise<void> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
}

async function startRouting(): Promise<string> {
  const server = createServer((_request, response) => response.end('{"data":[]}'));
  await listening(server);
  stops.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
