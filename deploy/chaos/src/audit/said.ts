import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Instance } from '@sluice/acceptance/instance';

/** Milliseconds until each of them reported it; undefined if it did not in time. */
export interface Said {
  readiness?: number;
  metric?: number;
  log?: number;
}

type Place = Pick<Instance, 'adminUrl' | 'dataDirectory'>;

const lookMs = 200;
const requestTimeoutMs = 5_000;
/** Milliseconds that the others have after the first report. */
const othersMs = 5_000;

/**
 * Starts to look for a word in readiness, in a metric that is not 0, and in the logs. The returned function resolves
 * when all three have reported it, a while after the first report, or when the time is over.
 */
export async function lookOutFor(
  word: RegExp,
  place: Place,
  timeoutMs: number,
): Promise<() => Promise<Said>> {
  const linesIn = (text: string) => text.split('\n').filter((line) => word.test(line));
  const metrics = async () => linesIn(await ask(place, '/metrics')).filter(isReported);
  const logs = async () => linesIn(await logsOf(place));
  const [metricsBefore, logsBefore] = [new Set(await metrics()), (await logs()).length];
  const startedMs = performance.now();
  const sinceStart = () => Math.round(performance.now() - startedMs);
  async function watch(): Promise<Said> {
    const said: Said = {};
    for (;;) {
      if (word.test(await ask(place, '/readyz'))) said.readiness ??= sinceStart();
      if ((await metrics()).some((line) => !metricsBefore.has(line))) said.metric ??= sinceStart();
      if ((await logs()).length > logsBefore) said.log ??= sinceStart();
      const times: readonly number[] = Object.values(said);
      const untilMs = Math.min(timeoutMs, Math.min(...times) + othersMs);
      if (times.length === 3 || sinceStart() > untilMs) return said;
      await delay(lookMs);
    }
  }
  const watching = watch();
  watching.catch(() => undefined);
  return () => watching;
}

/** Describes where Sluice reported the fault, and how soon. */
export function saidText(said: Said): string {
  const parts = Object.entries(said).map(([where, ms]) => `${where} ${ms} ms`);
  return parts.length === 0 ? 'nothing' : parts.join(', ');
}

export function isSilent(said: Said): boolean {
  return Object.keys(said).length === 0;
}

/** True for a line of a metric that is not 0. */
function isReported(line: string): boolean {
  return !line.startsWith('#') && !/ 0(?:\.0+)?$/.test(line);
}

async function ask({ adminUrl }: Place, path: string): Promise<string> {
  return await fetch(`${adminUrl}${path}`, { signal: AbortSignal.timeout(requestTimeoutMs) }).then(
    (response) => response.text(),
    () => '',
  );
}

async function logsOf({ dataDirectory }: Place): Promise<string> {
  const folder = join(dataDirectory, 'logs');
  const names = await readdir(folder);
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
  return texts.join('\n');
}
