import { performance } from 'node:perf_hooks';
import {
  compareProjection,
  type Comparison,
  type RebuildOptions,
  rebuildProjection,
  type RebuildProgress,
} from '@sluice/read-model';
import { count, counted, duration } from '../amounts.ts';
import type { Installation } from '../installation.ts';
import { findProjection } from './known.ts';

/** Builds the tables anew and switches. Returns the exit code. */
export async function rebuild(installation: Installation, name: string): Promise<number> {
  const startedMs = performance.now();
  const { events, position, setAside } = await rebuildProjection(optionsOf(installation, name));
  const seconds = (performance.now() - startedMs) / 1_000;
  installation.output.line(
    `${name} is rebuilt from ${counted(events, 'event')} in ${duration(seconds)}; ` +
      `it goes on behind position ${position ? `${position.commit}/${position.prepare}` : 'start'}.`,
  );
  for (const reason of setAside) installation.output.problem(`${name} ${reason}.`);
  return 0;
}

/** Builds the tables anew and shows the rows that differ. Returns the exit code: 1 when some do. */
export async function compare(installation: Installation, name: string): Promise<number> {
  const { output } = installation;
  const compared = await compareProjection(optionsOf(installation, name));
  for (const line of differenceLines(compared)) output.line(line);
  const { events, rows, differingRows, differences } = compared;
  const from = `${counted(rows, 'row')}, ${counted(events, 'event')}`;
  if (differingRows === 0n) {
    output.line(`${name} is what its events give (${from}).`);
    return 0;
  }
  const hidden = differingRows - BigInt(differences.length);
  output.line(
    `${name} differs from what its events give in ${counted(differingRows, 'row')} (${from})` +
      `${hidden > 0n ? `; ${count(hidden)} more than are shown` : ''}.`,
  );
  return 1;
}

function optionsOf(installation: Installation, name: string): RebuildOptions {
  const { postgresUrl, eventStore, output, signal } = installation;
  const onProgress = (progress: RebuildProgress) => output.progress(progressLine(name, progress));
  return { ...findProjection(name), postgresUrl, eventStore, onProgress, signal };
}

/** `key.api_keys: 37,000 events, 36,977 per second, about 1.7 s left` */
export function progressLine(name: string, progress: RebuildProgress): string {
  const { events, eventsPerSecond, etaSeconds } = progress;
  const left = etaSeconds === undefined ? '' : `, about ${duration(etaSeconds)} left`;
  return `${name}: ${counted(events, 'event')}, ${count(eventsPerSecond)} per second${left}`;
}

/** Yields the lines for each row that differs, as it is and as the events give it. */
export function* differenceLines({ differences }: Comparison): Iterable<string> {
  for (const { table, key, live, rebuilt } of differences) {
    yield `${table} ${key}`;
    yield `  live     ${live ?? 'no such row'}`;
    yield `  rebuilt  ${rebuilt ?? 'no such row'}`;
  }
}
