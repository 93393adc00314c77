import { spawn } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Agent, Seat } from '../programs/agent.ts';
import type { Installed } from '../programs/install.ts';

export interface Run {
  /** If undefined, the agent did not end in time, and was killed. */
  readonly code: number | undefined;
  /** The end of both outputs. */
  readonly output: string;
}

const timeoutMs = 180_000;
const outputLengthMax = 200_000;

export interface RunOptions {
  readonly installed: Installed;
  readonly seat: Seat;
  readonly prompt: string;
  /** Added to its environment. */
  readonly environment: Readonly<Record<string, string>>;
  /** An abort kills the agent and everything that it has started. */
  readonly signal: AbortSignal;
}

/** Runs an agent on a job, with nothing of the environment of who runs this. */
export async function runAgent(
  agent: Pick<Agent, 'settings' | 'job' | 'environment'>,
  { installed, seat, prompt, environment, signal }: RunOptions,
): Promise<Run> {
  signal.throwIfAborted();
  for (const [path, text] of Object.entries(agent.settings(seat))) {
    const file = join(seat.home, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text, { mode: 0o600 });
  }
  const child = spawn(installed.command, [...installed.args, ...agent.job(seat, prompt)], {
    cwd: seat.work,
    env: {
      PATH: `${dirname(process.execPath)}:${process.env['PATH'] ?? ''}`,
      HOME: seat.home,
      TERM: 'dumb',
      ...agent.environment(seat),
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    // A group of its own: what it has started ends with it.
    detached: true,
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      output = (output + chunk).slice(-outputLengthMax);
    });
  return await new Promise((resolve, reject) => {
    const end = () => {
      try {
        process.kill(-(child.pid ?? 0), 'SIGKILL');
      } catch {
        // All of the group has ended.
      }
    };
    const timer = setTimeout(end, timeoutMs);
    // Ctrl-C does not reach the group of the agent.
    signal.addEventListener('abort', end);
    if (signal.aborted) end();
    child.once('error', reject);
    child.once('exit', end);
    child.once('close', (code) => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve({ code: code ?? undefined, output });
    });
  });
}
