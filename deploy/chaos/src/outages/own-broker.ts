import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type EmbeddedNats, ensureNatsServer, freePort, startNats } from '@sluice/embedded';

export interface OwnBroker {
  readonly port: number;
  readonly token: string;
  readonly monitorUrl: string;
  readonly pid: () => number;
  /** -9; resolves when it has ended. */
  kill(): Promise<void>;
  start(): Promise<void>;
  /** Acts as a broker that does not sync after a power cut: all that it acknowledged is gone. */
  forgetAll(): Promise<void>;
  stop(): Promise<void>;
}

/** A broker that the services do not start themselves, so that it can be away for as long as it takes. */
export async function startOwnBroker(folder: string): Promise<OwnBroker> {
  const directory = join(folder, 'broker');
  const binary = await ensureNatsServer(process.env, () => undefined);
  const [port, monitorPort] = [await freePort(), await freePort()];
  const open = () => startNats({ directory, binary, port, monitorPort, onLog: () => undefined });
  let nats: EmbeddedNats = await open();
  return {
    port,
    token: nats.token,
    monitorUrl: nats.monitorUrl,
    pid: () => nats.pid,
    async kill() {
      process.kill(nats.pid, 'SIGKILL');
      await nats.exited;
    },
    async start() {
      nats = await open();
    },
    async forgetAll() {
      for (const name of await readdir(directory))
        if (name === 'jetstream') await rm(join(directory, name), { recursive: true });
    },
    stop: () => nats.stop(),
  };
}
