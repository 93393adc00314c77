import { readFileSync, writeFileSync } from 'node:fs';
import { images } from './images.ts';

const file = new URL('last-run.json', import.meta.url);

interface LastRun {
  /** A day, such as 2026-11-26. */
  readonly day: string;
  readonly images: readonly string[];
}

/** Says when the suites last passed on real images, and on which; never is an answer, too. */
export function lastRun(): string {
  let run: LastRun;
  try {
    run = JSON.parse(readFileSync(file, 'utf8')) as LastRun;
  } catch {
    return 'The suites have never passed on real images.';
  }
  return `The suites last passed on real images on ${run.day}: ${run.images.join(', ')}.`;
}

/** Notes that they have passed today. The file is to be committed. */
export function recordRun(now: Date): void {
  const run: LastRun = { day: now.toISOString().slice(0, 10), images: Object.values(images) };
  writeFileSync(file, `${JSON.stringify(run, undefined, 2)}\n`);
}
