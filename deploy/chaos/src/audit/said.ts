import { open, readdir, stat } from 'node:fs/promises';
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

const lookMs = 100;
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
  const logs = await logsFromNowOn(place);
  const metricsBefore = new Set(metricLines(await ask(place, '/metrics'), word));
  const startedMs = performance.now();
  const sinceStart = () => Math.round(performance.now() - startedMs);
  async function watch(): Promise<Said> {
    const said: Said = {};
    for (;;) {
      if (word.test(await ask(place, '/readyz'))) said.readiness ??= sinceStart();
      const lines = metricLines(await ask(place, '/metrics'), word);
      if (lines.some((line) => !metricsBefore.has(line))) said.metric ??= sinceStart();
      if (word.test(await logs())) said.log ??= sinceStart();
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

/** Returns the lines of metrics that name the fault and are not 0. */
function metricLines(text: string, word: RegExp): readonly string[] {
  return text
    .split('\n')
    .filter((line) => !line.startsWith('#') && word.test(line) && !/ 0(?:\.0+)?$/.test(line));
}

async function ask({ adminUrl }: Place, path: string): Promise<string> {
  return await fetch(`${adminUrl}${path}`, { signal: AbortSignal.timeout(requestTimeoutMs) }).then(
    (response) => response.text(),
    () => '',
  );
}

/** Returns a function that reads the log lines added since this call. */
async function logsFromNowOn({ dataDirectory }: Place): Promise<() => Promise<string>> {
  const folder = join(dataDirectory, 'logs');
  const offsets = new Map<string, number>();
  for (const name of await readdir(folder))
    offsets.set(name, (await stat(join(folder, name))).size);
  return async () => {
    let text = '';
    for (const name of await readdir(folder))
      text += await readFrom(join(folder, name), offsets.get(name) ?? 0);
    return text;
  };
}

async function readFrom(path: string, offset: number): Promise<string> {
  await using file = await open(path);
  const { size } = await file.stat();
  if (size <= offset) return '';
  const { buffer } = await file.read(Buffer.alloc(size - offset), 0, size - offset, offset);
  return buffer.toString('utf8');
}
