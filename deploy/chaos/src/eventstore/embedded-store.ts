import { type ChildProcess, fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { cp, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from '@sluice/embedded';
import {
  type FaultAnswer,
  type FaultMessage,
  type FaultSwitches,
  nodeUrl,
  openEventLog,
} from '@sluice/eventstore-server';
import { freeze } from '../outages/stopping.ts';
import { foreignType } from './our-log.ts';
import type { Store } from './store.ts';

const root = join(import.meta.dirname, '..', '..', '..', '..');
const program = join(root, 'libs', 'eventstore-server', 'src', 'main.ts');

/** The embedded node. This process controls its fault switches. */
export async function startEmbeddedStore(folder: string): Promise<Store> {
  const directory = join(folder, 'store');
  const secretsDirectory = join(folder, 'secrets');
  const port = await freePort();
  const args = ['--dir', directory, '--secrets', secretsDirectory, '--port', String(port)];
  let child: ChildProcess;
  const start = async () => {
    child = fork(program, [...args, '--faults'], {
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      serialization: 'advanced',
    });
    await untilListening(child);
  };
  const ended = async () => {
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  };
  const kill = async () => {
    child.kill('SIGKILL');
    await ended();
  };
  await start();
  return {
    name: 'the embedded node',
    url: await nodeUrl({ secretsDirectory, port }),
    lacks: () => undefined,
    kill,
    start,
    async exit() {
      child.send({ exit: true } satisfies FaultMessage);
      await ended();
      if (child.exitCode !== 0) throw new Error(`the node ended with status ${child.exitCode}`);
    },
    async freeze() {
      const frozen = await freeze(child.pid ?? 0);
      return () => frozen.letGo();
    },
    async switchTo(faults: Partial<FaultSwitches>) {
      const answered = once(child, 'message');
      child.send({ faults } satisfies FaultMessage);
      const answer = (await answered)[0] as FaultAnswer;
      if (!answer.ok) throw new Error(answer.reason);
    },
    copyData: (to) => cp(directory, to, { recursive: true }),
    async replaceData(from) {
      await rm(directory, { recursive: true });
      if (from === undefined) await mkdir(directory, { mode: 0o700 });
      else await cp(from, directory, { recursive: true });
    },
    async grow(events) {
      const log = await openEventLog({ directory });
      for (let n = 0; n < events; n++) {
        const event = { id: randomUUID(), type: `${foreignType}Noise`, data: { n }, metadata: {} };
        await log.begin(`noise-${randomUUID()}`, event);
      }
      await log.close();
    },
    stop: kill,
  };
}

async function untilListening(child: ChildProcess): Promise<void> {
  const words: string[] = [];
  const listening = new Promise<void>((resolve) => {
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (text: Buffer) => {
        const said = text.toString();
        if (said.includes('Listening on')) resolve();
        else words.push(said);
      });
  });
  const ended = once(child, 'exit').then(() => {
    throw new Error(`The event store node ended: ${words.join('')}`);
  });
  ended.catch(() => undefined);
  await Promise.race([listening, ended]);
}
