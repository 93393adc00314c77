import { equal, match, ok } from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@sluice/embedded';
import { startEventStoreServer } from '@sluice/eventstore-server';
import { eventually } from '@sluice/patience';
import { describe, onTestFinished, test } from 'vitest';
import { json, manage } from './http.ts';
import { type Instance, startInstance } from './instance.ts';

/** Two starts of a whole Sluice, each of which waits for a store that is away. */
const twoStartsMs = 600_000;
const away = /the event store is away since /;

/** The refusals of a busy machine are none of those that are tested. */
const infer = async (instance: Instance) => {
  const body = { model: 'sim/echo', input: 'x' };
  return (await json({ ...instance, isShared: true }, '/responses', { body })).status;
};
const readiness = async (adminUrl: string) => await (await fetch(`${adminUrl}/readyz`)).text();

/** A node of this process that comes and goes at one address. */
async function aNode() {
  const directory = await mkdtemp(join(tmpdir(), 'sluice-store-away-'));
  const port = await freePort();
  const startNode = () => startEventStoreServer({ directory, port });
  let running: Awaited<ReturnType<typeof startNode>> | undefined = await startNode();
  const { url } = running;
  const stop = async () => {
    await running?.stop();
    running = undefined;
  };
  onTestFinished(async () => {
    await stop();
    await rm(directory, { recursive: true, force: true, maxRetries: 5 });
  });
  return { url, stop, start: async () => void (running = await startNode()) };
}

/** The int specs of the services show each service that starts so as a process of its own. */
describe('all-in-one that is started while its event store is away', () => {
  test(
    'waits at its first start ever, and at the next serves what it knows; each says so, and goes on by itself',
    async () => {
      const node = await aNode();
      await node.stop();
      const first = await startWithoutStore(node);
      equal(await infer(first), 200);
      const hash = createHash('sha256').update(first.bootstrap.api_key).digest('hex');
      const rename = (instance: Instance, name: string) =>
        manage(instance, `/keys/${hash}`, { method: 'PATCH', body: { name } });
      await eventually(async () => equal((await manage(first, `/keys/${hash}`)).status, 200));
      equal((await rename(first, 'Kept')).status, 200);
      equal(await first.stop(), 0);
      await node.stop();

      const second = await first.restart();
      onTestFinished(async () => void (await second.stop()));
      await eventually(() => match(second.output(), away));
      equal(await infer(second), 200);
      const kept = await manage(second, `/keys/${hash}`);
      equal(kept.body['data']?.['name'], 'Kept', JSON.stringify(kept.body));
      const refused = await rename(second, 'Refused');
      equal(refused.status, 503);
      match(JSON.stringify(refused.body), /event store/i);
      match(await readiness(second.adminUrl), away);

      await node.start();
      await eventually(async () => equal((await rename(second, 'Renamed')).status, 200));
      await eventually(() => match(second.output(), /Everything is served again/));
      equal(await infer(second), 200);
    },
    twoStartsMs,
  );
});

/** Starts for the first time, and the node when the start has said once that it waits. */
async function startWithoutStore(node: Awaited<ReturnType<typeof aNode>>): Promise<Instance> {
  const adminPort = await freePort();
  const adminUrl = `http://127.0.0.1:${adminPort}`;
  const directory = await mkdtemp(join(tmpdir(), 'sluice-first-start-'));
  const starting = startInstance({
    SLUICE_DATA_DIR: directory,
    SLUICE_EVENTSTORE_URL: node.url,
    SLUICE_ADMIN_PORT: String(adminPort),
  });
  starting.catch(() => undefined);
  await eventually(async () => match(await readiness(adminUrl), away));
  const log = join(directory, 'logs', 'sluice.log');
  await eventually(async () => match(await readFile(log, 'utf8'), /the first start waits/));
  await node.start();
  const instance = await starting;
  onTestFinished(() => instance.dispose());
  const said = instance.output().match(/the first start waits: .*event_store_unavailable/g);
  ok(said?.length === 1, instance.output());
  return instance;
}
