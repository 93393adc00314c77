import { execFile } from 'node:child_process';
import { cpus, loadavg, release, totalmem } from 'node:os';
import { promisify } from 'node:util';

const run = promisify(execFile);

export interface Machine {
  readonly processors: number;
  readonly model: string;
  readonly memoryBytes: number;
  readonly kernel: string;
  readonly node: string;
  /** The load average before anything was measured: other work takes from what is measured. */
  readonly loadBefore: number;
}

const quietLoadPerProcessor = 0.25;

/** Describes the machine of a report. Call it before the measurement. */
export function thisMachine(): Machine {
  return {
    processors: cpus().length,
    model: cpus()[0]?.model ?? '',
    memoryBytes: totalmem(),
    kernel: release(),
    node: process.version,
    loadBefore: loadavg()[0] ?? 0,
  };
}

/** A sentence when something else was running; undefined when it was quiet. */
export function busySentence({ processors, loadBefore }: Machine): string | undefined {
  if (loadBefore <= quietLoadPerProcessor * processors) return undefined;
  return `The machine was busy with something else: a load of ${loadBefore.toFixed(1)} before the start.`;
}

/**
 * The commit that is measured, with `-dirty` where files differ from it; empty where git knows none. The running
 * process of `adminUrl` says itself which commit it runs.
 */
export async function commitOf(folder: string, adminUrl?: string): Promise<string> {
  const git = async (...words: string[]) =>
    await run('git', words, { cwd: folder }).then(({ stdout }) => stdout.trim());
  try {
    const changed = await git('status', '--porcelain', '--untracked-files=no');
    const head = adminUrl === undefined ? git('rev-parse', 'HEAD') : runningCommit(adminUrl);
    return `${await head}${changed === '' ? '' : '-dirty'}`;
  } catch {
    return '';
  }
}

async function runningCommit(adminUrl: string): Promise<string> {
  const answer = await fetch(`${adminUrl}/version`);
  return ((await answer.json()) as { readonly commit: string }).commit;
}
