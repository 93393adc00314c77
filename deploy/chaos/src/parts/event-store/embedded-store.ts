import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { cp, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { startNode } from '@sluice/acceptance/event-store-node';
import { freePort } from '@sluice/embedded';
import { type FaultAnswer, type FaultMessage, openEventLog } from '@sluice/eventstore-server';
import { freeze } from '../outage.ts';
import { foreignType, type Store } from './store.ts';

/** Starts the embedded node. This process controls its fault switches. */
export async function startEmbeddedStore(folder: string): Promise<Store> {
  const [directory, secretsDirectory] = [join(folder, 'store'), join(folder, 'secrets')];
  const port = await freePort();
  const open = () => startNode({ directory, secretsDirectory, port, takesFaults: true });
  let node = await open();
  const tell = (message: FaultMessage) => void node.child.send(message);
  const kill = async () => {
    node.child.kill('SIGKILL');
    await node.exited;
  };
  return {
    name: 'the embedded node',
    url: node.url,
    lacks: () => undefined,
    kill,
    async exit() {
      tell({ exit: true });
      await node.exited;
      const { exitCode } = node.child;
      if (exitCode !== 0) throw new Error(`the node ended with status ${exitCode}`);
    },
    async start() {
      node = await open();
    },
    async freeze() {
      const frozen = await freeze(node.pid);
      return async () => frozen.letGo();
    },
    async switchTo(faults) {
      const answered = once(node.child, 'message');
      tell({ faults });
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
    [Symbol.asyncDispose]: kill,
  };
}
