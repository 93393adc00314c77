import { equal, match, rejects } from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, stat, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, onTestFinished, test } from 'vitest';
import { json } from './http.ts';
import { type Program, startInstance } from './instance.ts';

const programs: readonly Program[] = ['all-in-one', 'processes'];
/** The last thing that a log holds after a stop: no event, but on disk as everything before it. */
const closingBytes = 21;

describe.each(programs)('%s on an event log whose end is missing', (program) => {
  test('does not start, until the operator accepts the loss for one start', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'sluice-lost-events-'));
    onTestFinished(() => rm(directory, { recursive: true, force: true, maxRetries: 5 }));
    const environment = { SLUICE_DATA_DIR: directory };
    const first = await startInstance(environment, program);
    equal(await first.stop(), 0);
    const log = join(directory, 'eventstore');
    const names = (await readdir(log)).filter((name) => name.endsWith('.log')).toSorted();
    const last = join(log, names.at(-1) ?? '');
    const { size } = await stat(last);
    await truncate(last, size - closingBytes);

    await rejects(startInstance(environment, program), ({ message }: Error) => {
      match(message, /exit 1/);
      match(message, /acknowledged: 21 bytes are missing/);
      match(message, /SLUICE_EVENTSTORE_ACCEPT_LOSS=true/);
      return true;
    });
    equal((await stat(last)).size, size - closingBytes);

    const permission = { ...environment, SLUICE_EVENTSTORE_ACCEPT_LOSS: 'true' };
    const second = await startInstance(permission, program);
    onTestFinished(() => second.dispose());
    match(second.output(), /21 acknowledged bytes were lost, and the loss was accepted/);
    const metrics = await (await fetch(await metricsOf(second.adminUrl, directory))).text();
    match(metrics, /^eventstore_recovery_lost_bytes(\{.*\})? 21$/m);
    match(metrics, /^eventstore_recovery_position\{.*when="before".*\} \d+$/m);
    const body = { model: 'sim/echo', input: 'hello' };
    equal((await json(second, '/responses', { body })).status, 200);
  });

  /** The node has a port of its own where it is a process of its own. */
  async function metricsOf(adminUrl: string, directory: string): Promise<string> {
    if (program === 'all-in-one') return `${adminUrl}/metrics`;
    const ports = JSON.parse(await readFile(join(directory, 'ports.json'), 'utf8')) as {
      readonly 'eventstore-admin': number;
    };
    return `http://127.0.0.1:${ports['eventstore-admin']}/metrics`;
  }
});
