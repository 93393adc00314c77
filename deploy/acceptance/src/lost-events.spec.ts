import { equal, match, rejects } from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, stat, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished, test } from 'vitest';
import { json } from './http.ts';
import { startInstance } from './instance.ts';

/** The last thing that a log holds after a stop: no event, but on disk as everything before it. */
const closingBytes = 21;

/** lost-events.int.spec.ts of the node has each kind of loss. */
test('an event log whose end is missing does not start, until the operator accepts the loss for one start', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'sluice-lost-events-'));
  onTestFinished(() => rm(directory, { recursive: true, force: true, maxRetries: 5 }));
  const environment = { SLUICE_DATA_DIR: directory };
  const log = join(directory, 'eventstore');
  const first = await startInstance(environment);
  onTestFinished(() => first.dispose());
  equal(await first.stop(), 0);
  const names = (await readdir(log)).filter((name) => name.endsWith('.log')).toSorted();
  const last = join(log, names.at(-1) ?? '');
  const { size } = await stat(last);
  await truncate(last, size - closingBytes);

  await rejects(startInstance(environment, 'processes'), ({ message }: Error) => {
    match(message, /exit 1/);
    match(message, /acknowledged: 21 bytes are missing/);
    match(message, /SLUICE_EVENTSTORE_ACCEPT_LOSS=true/);
    return true;
  });
  equal((await stat(last)).size, size - closingBytes);

  const permission = { ...environment, SLUICE_EVENTSTORE_ACCEPT_LOSS: 'true' };
  const sluice = await startInstance(permission, 'processes');
  onTestFinished(async () => void (await sluice.stop()));
  match(sluice.output(), /21 acknowledged bytes were lost, and the loss was accepted/);
  const metrics = await (await fetch(await metricsOfNode(directory))).text();
  match(metrics, /^eventstore_recovery_lost_bytes(\{.*\})? 21$/m);
  match(metrics, /^eventstore_recovery_position\{.*when="before".*\} \d+$/m);
  const body = { model: 'sim/echo', input: 'hello' };
  // The refusals of a busy machine are none of those that are tested.
  equal((await json({ ...sluice, isShared: true }, '/responses', { body })).status, 200);
});

/** The node has a port of its own where it is a process of its own. */
async function metricsOfNode(directory: string): Promise<string> {
  const ports = JSON.parse(await readFile(join(directory, 'ports.json'), 'utf8')) as {
    readonly 'eventstore-admin': number;
  };
  return `http://127.0.0.1:${ports['eventstore-admin']}/metrics`;
}
