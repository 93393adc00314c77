import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { startServerProcess } from '@sluice/embedded';
import { nodeUrl } from '@sluice/eventstore-server';
import { residentBytesOf } from '../harness/machine/process-figures.ts';

export interface NodeProcess {
  readonly url: string;
  /** From the start of the process until it takes calls. */
  readonly startMs: number;
  /** Resident memory, as the kernel counts it. */
  residentBytes(): Promise<number>;
  /** The least of it in 15 s without work: what was only needed for a while has been given back. */
  settledResidentBytes(): Promise<number>;
  stop(): Promise<void>;
}

const settlingMs = 15_000;
const settlingSamples = 15;
const root = join(import.meta.dirname, '..', '..', '..', '..');
const program = join(root, 'libs', 'eventstore-server', 'src', 'main.ts');

/** The embedded node as `npm run eventstore` starts it, in a process of its own. */
export async function startNode(directory: string): Promise<NodeProcess> {
  const startedMs = performance.now();
  const server = await startServerProcess({
    name: 'the event store node',
    command: process.execPath,
    args: [program, '--dir', directory, '--port', '0'],
    stopSignal: 'SIGTERM',
    readyPattern: /"ready":true/,
    onLog: () => undefined,
  });
  const startMs = performance.now() - startedMs;
  const ready = server.startLines.find((line) => line.includes('"ready":true')) ?? '';
  const { port } = JSON.parse(ready) as { readonly port: number };
  const residentBytes = () => residentBytesOf([server.pid]);
  return {
    url: await nodeUrl({ secretsDirectory: join(directory, 'secrets'), port }),
    startMs,
    residentBytes,
    async settledResidentBytes() {
      let least = await residentBytes();
      for (let sample = 0; sample < settlingSamples; sample++) {
        await delay(settlingMs / settlingSamples);
        least = Math.min(least, await residentBytes());
      }
      return least;
    },
    stop: () => server.stop(),
  };
}
