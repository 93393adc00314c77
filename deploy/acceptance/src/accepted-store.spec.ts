import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '@sluice/embedded';
import { startEventStoreServer } from '@sluice/eventstore-server';
import { eventually } from '@sluice/patience';
import { bareEnvironment } from '@sluice/testing/bare-environment';
import { onTestFinished, test } from 'vitest';
import { json, manage, text } from './http.ts';
import { type Instance, startInstance } from './instance.ts';
import { sluice } from './sluice.ts';

/** Each kind of key, with the statuses of inference and of a look at it before and after `accept`. */
const kinds = {
  'in the copy': { lost: {}, before: [200, 200], after: [200, 200] },
  'in the lost part alone': { lost: 'issued', before: [200, 200], after: [401, 404] },
  'disabled in the lost part': {
    lost: { disabled: true },
    before: [401, 200],
    after: [200, 200],
  },
  'deleted in the lost part': { lost: 'deleted', before: [401, 404], after: [200, 200] },
  'limited in the lost part': { lost: { limit: 0 }, before: [402, 200], after: [200, 200] },
} as const;
type Kind = keyof typeof kinds;
type Key = Awaited<ReturnType<typeof issue>>;

const names = Object.keys(kinds) as Kind[];
/** A command of each service, which is never carried out. */
const commands = [
  ['/keys', { name: 'never answered' }],
  ['/workspaces', { name: 'never answered', slug: 'never-answered' }],
  ['/guardrails', { name: 'never answered' }],
] as const;
const manyProcessesMs = 600_000;
/** This test looks again and again at keys, also at those that are refused. */
const manyLooks = {
  SLUICE_AUTH_FAILURES_PER_MINUTE: '10000',
  SLUICE_KEY_REQUESTS_PER_MINUTE: '10000',
};
const patience = { everyMs: 500, sameLooksMax: 400 };
const gatewayProgram = fileURLToPath(
  new URL('../../../services/gateway/src/main.ts', import.meta.url),
);

test(
  'after a loss is accepted, each gateway serves the keys that the store has, and no other',
  async () => {
    const { instance, replaceStore, keepStore } = await startOnStore();
    const frozen = await startGateway(instance);
    const heard = await startGateway(instance);
    const gateways = [instance, heard.instance, frozen.instance];
    const keys = new Map<Kind, Key>();
    for (const kind of names)
      if (kinds[kind].lost !== 'issued') keys.set(kind, await issue(instance));
    await keepStore();
    for (const kind of names) await lose(instance, kind, keys);

    const seen = (expected: 'before' | 'after', at: readonly Instance[]) =>
      eventually(async () => {
        for (const gateway of at)
          deepEqual(
            await table(gateway, keys),
            Object.fromEntries(names.map((kind) => [kind, kinds[kind][expected]])),
          );
      }, patience);
    await seen('before', gateways);
    await replaceStore();
    // The copy lacks events of keys alone, and no service takes a command on it.
    for (const [path, body] of commands)
      await eventually(async () => {
        const refused = await manage(instance, path, { body });
        ok(JSON.stringify(refused.body).includes('event_store_diverged'), `${refused.status}`);
      });
    const inCopy = keys.get('in the copy')?.hash ?? '';
    const closed = await change(instance, inCopy, { limit: 0 });
    equal(closed.status, 503, JSON.stringify(closed.body));
    await eventually(async () => {
      const ready = await (await fetch(`${instance.adminUrl}/readyz`)).text();
      match(ready, /"degraded".*event_store_diverged: .*another history/);
    });
    await seen('before', gateways);

    frozen.child.kill('SIGSTOP');
    const accepted = await sluice(instance, ['eventstore', 'accept', '--yes']);
    equal(accepted.code, 0, `${accepted.out}${accepted.error}`);
    await seen('after', [instance, heard.instance]);
    frozen.child.kill('SIGCONT');
    await seen('after', [frozen.instance]);
    const late = await startGateway(instance);
    await seen('after', [late.instance]);

    // A limit that is lowered now is enforced by each gateway.
    equal((await change(instance, inCopy, { limit: 0 })).status, 200);
    const { secret = '' } = keys.get('in the copy') ?? {};
    await eventually(async () => {
      for (const gateway of [...gateways, late.instance]) equal(await infer(gateway, secret), 402);
    }, patience);
    // Each key that is left can be revoked, and each gateway refuses it then.
    for (const [kind, { hash }] of keys)
      if (kinds[kind].after[0] === 200)
        equal((await change(instance, hash, { disabled: true })).status, 200, kind);
    await eventually(async () => {
      for (const gateway of [...gateways, late.instance])
        for (const { secret } of keys.values()) equal(await infer(gateway, secret), 401);
    }, patience);
  },
  manyProcessesMs,
);

async function lose(instance: Instance, kind: Kind, keys: Map<Kind, Key>): Promise<void> {
  const { lost } = kinds[kind];
  if (lost === 'issued') keys.set(kind, await issue(instance));
  const { hash = '' } = keys.get(kind) ?? {};
  if (lost === 'deleted')
    equal((await manage(instance, `/keys/${hash}`, { method: 'DELETE' })).status, 200);
  if (typeof lost === 'object' && Object.keys(lost).length > 0)
    equal((await change(instance, hash, lost)).status, 200);
}

const change = (instance: Instance, hash: string, body: object) =>
  manage(instance, `/keys/${hash}`, { method: 'PATCH', body });

async function table(gateway: Instance, keys: ReadonlyMap<Kind, Key>) {
  const rows = [...keys].map(async ([kind, { secret, hash }]) => {
    const { status } = await manage(gateway, `/keys/${hash}`);
    return [kind, [await infer(gateway, secret), status]] as const;
  });
  return Object.fromEntries(await Promise.all(rows));
}

async function infer(gateway: Instance, key: string): Promise<number> {
  const body = { model: 'sim/echo', input: 'x' };
  return (await json(gateway, '/responses', { key, body })).status;
}

async function issue(instance: Instance) {
  const made = await manage(instance, '/keys', { body: { name: 'key', limit: 10 } });
  equal(made.status, 201, JSON.stringify(made.body));
  const secret = text(made.body['key']);
  return { secret, hash: createHash('sha256').update(secret).digest('hex') };
}

/** A Sluice whose event store can be kept as a copy, and replaced by it. */
async function startOnStore() {
  const directory = await mkdtemp(join(tmpdir(), 'sluice-accepted-'));
  onTestFinished(() => rm(directory, { recursive: true, force: true, maxRetries: 5 }));
  const [log, copy] = [join(directory, 'store'), join(directory, 'copy')];
  const settings = { directory: log, secretsDirectory: join(directory, 'secrets') };
  let server = await startEventStoreServer({ ...settings, port: 0 });
  const { port } = server;
  onTestFinished(() => server.stop());
  const restarted = async (change: () => Promise<void>) => {
    await server.stop();
    await change();
    server = await startEventStoreServer({ ...settings, port });
  };
  const environment = { ...manyLooks, SLUICE_EVENTSTORE_URL: server.url };
  const instance = await startInstance(environment, 'processes');
  onTestFinished(() => instance.dispose());
  return {
    instance,
    keepStore: () => restarted(() => cp(log, copy, { recursive: true })),
    replaceStore: () =>
      restarted(async () => {
        await rm(log, { recursive: true });
        await cp(copy, log, { recursive: true });
      }),
  };
}

/** One more gateway of the instance, as another replica. */
async function startGateway(
  instance: Instance,
): Promise<{ readonly child: ChildProcess; readonly instance: Instance }> {
  const read = async (name: string) =>
    JSON.parse(await readFile(join(instance.dataDirectory, name), 'utf8')) as Record<
      string,
      string
    >;
  const [ports, connections] = [await read('ports.json'), await read('run/connections.json')];
  const [port, adminPort] = [await freePort(), await freePort()];
  const child = spawn(process.execPath, [gatewayProgram], {
    env: {
      ...bareEnvironment,
      ...manyLooks,
      SLUICE_PORT: `${port}`,
      SLUICE_ADMIN_PORT: `${adminPort}`,
      SLUICE_NATS_URL: connections['nats_url'],
      SLUICE_NATS_TOKEN: connections['nats_token'],
      SLUICE_RPC_TOKEN: connections['rpc_token'],
      SLUICE_ACCOUNT_ADDRESS: `127.0.0.1:${ports['account']}`,
      SLUICE_KEY_ADDRESS: `127.0.0.1:${ports['key']}`,
      SLUICE_LEDGER_ADDRESS: `127.0.0.1:${ports['ledger']}`,
      SLUICE_WORKSPACE_ADDRESS: `127.0.0.1:${ports['workspace']}`,
      SLUICE_GUARDRAIL_ADDRESS: `127.0.0.1:${ports['guardrail']}`,
      SLUICE_ROUTING_URL: `http://127.0.0.1:${ports['routing-inference']}`,
    },
    stdio: 'ignore',
  });
  const ended = once(child, 'exit');
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  await eventually(async () =>
    equal((await fetch(`http://127.0.0.1:${adminPort}/readyz`)).status, 200),
  );
  const bootstrap = { ...instance.bootstrap, base_url: `http://127.0.0.1:${port}/v1` };
  return { child, instance: { ...instance, bootstrap } };
}
