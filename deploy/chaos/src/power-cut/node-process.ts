import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { startServerProcess } from '@sluice/embedded';
import { nodeUrl } from '@sluice/eventstore-server';

export interface NodeProcess {
  readonly url: string;
  /** Resolves with a sentence when it has ended. */
  readonly exited: Promise<string>;
  /** Resolves when it runs no more: nothing that it finds out from then on is told to anybody. */
  freeze(): Promise<void>;
  /** -9; resolves when it has ended. */
  kill(): Promise<void>;
  /** Returns the last output. */
  lastWords(): string;
}

export interface NodeProcessOptions {
  readonly directory: string;
  /** For the control: syncs are left out. */
  readonly syncs: boolean;
}

const root = join(import.meta.dirname, '..', '..', '..', '..');
const program = join(root, 'libs', 'eventstore-server', 'src', 'main.ts');
const lyingDisk = ['--import', join(import.meta.dirname, 'without-sync.ts')];
const linesMax = 5;
const pollMs = 2;

/** The embedded node as `npm run eventstore` starts it. Rejects with its last words. */
export async function startNode({ directory, syncs }: NodeProcessOptions): Promise<NodeProcess> {
  const lines: string[] = [];
  const server = await startServerProcess({
    name: 'the event store node',
    command: process.execPath,
    args: [...(syncs ? [] : lyingDisk), program, '--dir', directory, '--port', '0'],
    stopSignal: 'SIGKILL',
    readyPattern: /"ready":true/,
    onLog: (line) => {
      lines.push(line);
      if (lines.length > linesMax) lines.shift();
    },
  });
  const ready = server.startLines.find((line) => line.includes('"ready":true')) ?? '';
  const { port } = JSON.parse(ready) as { readonly port: number };
  return {
    url: await nodeUrl({ secretsDirectory: join(directory, 'secrets'), port }),
    exited: server.exited,
    async freeze() {
      server.child.kill('SIGSTOP');
      while (!(await isFrozen(server.pid))) await delay(pollMs);
    },
    async kill() {
      server.child.kill('SIGKILL');
      await server.exited;
    },
    lastWords: () => lines.join(' | '),
  };
}

/** Its main thread is stopped, which alone answers clients, or it has ended. */
async function isFrozen(pid: number): Promise<boolean> {
  const stat = await readFile(`/proc/${pid}/task/${pid}/stat`, 'utf8').catch(() => '');
  const state = stat.slice(stat.lastIndexOf(')') + 2)[0] ?? 'X';
  return 'TtXZ'.includes(state);
}
