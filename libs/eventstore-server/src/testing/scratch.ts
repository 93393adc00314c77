import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { noFaults } from '../fault-switches.ts';
import { openGates } from '../log/append-log.ts';
import type { EventLogStoreOptions } from '../store/event-log-store-options.ts';
import { EventLogStore } from '../store/event-log-store.ts';

/** A directory of the running test, removed when it is over. */
export async function scratchDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'sluice-eventstore-'));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  return directory;
}

/** A store on the directory with small bounds, closed when the test is over at the latest. */
export async function openStore(
  directory: string,
  overrides: Partial<EventLogStoreOptions> = {},
): Promise<EventLogStore> {
  const store = await EventLogStore.open({
    directory,
    segmentBytesMax: 64 * 1024,
    cacheBytesMax: 16 * 1024,
    recentIdsMax: 1_000,
    nowMs: () => Date.now(),
    onFatal: () => {},
    acceptLoss: false,
    report: () => {},
    silentDuplicates: false,
    gates: openGates,
    faults: noFaults(),
    ...overrides,
  });
  onTestFinished(() => store.close());
  return store;
}
