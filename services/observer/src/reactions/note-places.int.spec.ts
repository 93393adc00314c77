import { deepEqual, match, ok } from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Bus, connectBus } from '@sluice/bus';
import { ensureNatsServer, startNats } from '@sluice/embedded';
import { until } from '@sluice/patience';
import { aFact } from '@sluice/usage-facts/testing';
import { onTestFinished, test } from 'vitest';
import { accountId, observerWorld, workspaceId } from '../testing/observer-world.ts';
import { receiver } from '../testing/receiver.ts';

const quiet = { info: () => {}, warn: () => {}, error: () => {} };
const fact = () => aFact({ accountId, workspaceId });

/** A broker whose disk can be lost, and a connection to it that outlives that. */
async function broker() {
  const directory = await mkdtemp(join(tmpdir(), 'lost-disk-'));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  const binary = await ensureNatsServer(process.env, () => undefined);
  let nats = await startNats({ directory, binary, onLog: () => undefined });
  onTestFinished(() => nats.stop());
  const { url, token } = nats;
  const bus = await connectBus({ url, token, name: 'spec', logger: quiet });
  onTestFinished(() => bus.stop());
  const loseDisk = async () => {
    await nats.stop();
    await rm(join(directory, 'jetstream'), { recursive: true });
    const port = Number(new URL(url).port);
    nats = await startNats({ directory, binary, port, onLog: () => undefined });
    await until(() => bus.isConnected());
  };
  return { bus, loseDisk };
}

async function isTaken(bus: Bus): Promise<boolean> {
  const place = await bus.placeOf({ stream: 'USAGE', durable: 'observer-usage' });
  return place?.pending === 0;
}

test('a broker that loses its disk with generations loses them for no destination in silence', async () => {
  const { bus, loseDisk } = await broker();
  const errors: string[] = [];
  const world = await observerWorld({ bus, onError: (message) => void errors.push(message) });
  const hook = await receiver();
  const destinationId = await world.add({ config: { url: hook.url } });
  const lostAt = async () =>
    (await world.calls().getDestinationStatus({ accountId, destinationId })).lastLostAt;
  const noted = async () => {
    const text = `SELECT last_sequence AS last FROM bus_places WHERE stream = 'USAGE'`;
    const [row] = await world.database.query<{ last: bigint }>({ text, values: [] });
    return row?.last;
  };
  const [taken, lost, after] = [fact(), fact(), fact()];
  await world.publish(taken);
  await until(async () => hook.ids().length === 1 && (await isTaken(bus)));
  await until(async () => (await noted()) === 1n);
  deepEqual([await lostAt(), errors], [undefined, []]);
  await world.restart(async () => {
    await world.publish(lost);
    await loseDisk();
  });
  await until(async () => (await lostAt()) !== undefined);
  ok(errors.some((message) => message.startsWith('the bus lost messages')));
  match(
    await world.telemetry.prometheus(),
    /observer_gaps_total\{[^}]*of="generations"[^}]*\} [12]/,
  );
  await world.publish(after);
  await until(() => hook.ids().includes(after.generationId));
  deepEqual(hook.ids(), [taken.generationId, after.generationId]);
});
