import { join } from 'node:path';
import { startServerProcess, suspendProcess } from '@sluice/embedded';
import { nodeUrl } from '@sluice/eventstore-server';

export interface NodeProcess {
  readonly url: string;
  /** Resolves with a sentence when it has ended. */
  readonly exited: Promise<string>;
  /** Resolves when the process is stopped, after which it sends no answer. */
  freeze(): Promise<void>;
  /** -9; resolves when it has ended. */
  kill(): Promise<void>;
  /** Returns the last output. */
  lastWords(): string;
}

export interface NodeProcessOptions {
  readonly directory: string;
  /** False is the control: the node does not sync. */
  readonly syncs: boolean;
}

const root = join(import.meta.dirname, '..', '..', '..', '..');
const program = join(root, 'libs', 'eventstore-server', 'src', 'main.ts');
const lyingDisk = ['--import', join(import.meta.dirname, 'without-sync.ts')];
const linesMax = 5;

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
    freeze: () => suspendProcess(server.pid),
    async kill() {
      server.child.kill('SIGKILL');
      await server.exited;
    },
    lastWords: () => lines.join(' | '),
  };
}
