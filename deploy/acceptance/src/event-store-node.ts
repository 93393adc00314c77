import { join } from 'node:path';
import { startServerProcess } from '@sluice/embedded';
import { nodeUrl } from '@sluice/eventstore-server';

export interface NodeOptions {
  readonly directory: string;
  readonly secretsDirectory: string;
  /** 0: a free one. */
  readonly port: number;
  /** The node takes fault switches over IPC. */
  readonly takesFaults?: boolean;
  /** A module that Node.js loads before the program. */
  readonly preload?: string;
  /** SIGKILL if absent. */
  readonly stopSignal?: 'SIGTERM';
}

const root = join(import.meta.dirname, '..', '..', '..');
const program = join(root, 'libs', 'eventstore-server', 'src', 'main.ts');

/** Starts the embedded event store node in a process of its own. Rejects with its last words. */
export async function startNode(options: NodeOptions) {
  const { directory, secretsDirectory, port, takesFaults, preload } = options;
  const { stopSignal = 'SIGKILL' } = options;
  const places = ['--dir', directory, '--secrets', secretsDirectory, '--port', String(port)];
  const server = await startServerProcess({
    name: 'the event store node',
    command: process.execPath,
    args: [
      ...(preload === undefined ? [] : ['--import', preload]),
      program,
      ...places,
      ...(takesFaults ? ['--faults'] : []),
    ],
    channel: takesFaults === true,
    stopSignal,
    readyPattern: /"ready":true|Listening on/,
    onLog: () => undefined,
  });
  const ready = server.startLines.find((line) => line.includes('"ready":true'));
  const told = ready === undefined ? { port } : (JSON.parse(ready) as { readonly port: number });
  return { ...server, url: await nodeUrl({ secretsDirectory, port: told.port }) };
}
