import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureNatsServer, freePort, startNats, suspendProcess } from '@sluice/embedded';
import { startFaultyWire } from './faulty-wire.ts';

/** A NATS of its own for one test, behind a proxy, that fails in the ways in which brokers fail. */
export interface FaultyBroker {
  /** Through the proxy, which the faults of the network befall. */
  readonly url: string;
  /** Past the proxy. */
  readonly directUrl: string;
  readonly token: string;
  readonly faults: Readonly<Record<FaultName, Fault>>;
  stop(): Promise<void>;
}

export interface Fault {
  /** Resolves when the fault is in force. */
  begin(): Promise<void>;
  end(): Promise<void>;
}

export type FaultName = 'SIGSTOP' | 'SIGKILL' | 'a black hole';
export const faultNames: readonly FaultName[] = ['SIGSTOP', 'SIGKILL', 'a black hole'];

export async function faultyBroker(): Promise<FaultyBroker> {
  const directory = await mkdtemp(join(tmpdir(), 'sluice-broker-'));
  const binary = await ensureNatsServer(process.env, () => undefined);
  const port = await freePort();
  const start = () => startNats({ directory, binary, port, onLog: () => undefined });
  let nats = await start();
  const proxy = await startFaultyWire({ host: '127.0.0.1', port });
  const { token } = nats;
  return {
    url: `nats://127.0.0.1:${proxy.port}`,
    directUrl: nats.url,
    token,
    faults: {
      SIGSTOP: {
        begin: () => suspendProcess(nats.pid),
        end: async () => void process.kill(nats.pid, 'SIGCONT'),
      },
      SIGKILL: {
        begin: async () => void process.kill(nats.pid, 'SIGKILL'),
        async end() {
          await nats.exited;
          nats = await start();
        },
      },
      'a black hole': {
        begin: async () => proxy.hold(),
        end: async () => proxy.pass(),
      },
    },
    async stop() {
      proxy.stop();
      await nats.stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}
