import { mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureNatsServer, freePort, startNats } from '@sluice/embedded';

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
  begin(): void;
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
  const proxy = await startProxy(port);
  const { token } = nats;
  return {
    url: `nats://127.0.0.1:${proxy.port}`,
    directUrl: nats.url,
    token,
    faults: {
      SIGSTOP: {
        begin: () => void process.kill(nats.pid, 'SIGSTOP'),
        end: async () => void process.kill(nats.pid, 'SIGCONT'),
      },
      SIGKILL: {
        begin: () => void process.kill(nats.pid, 'SIGKILL'),
        async end() {
          await nats.exited;
          nats = await start();
        },
      },
      'a black hole': {
        begin: () => proxy.hold(),
        end: async () => proxy.forward(),
      },
    },
    async stop() {
      proxy.stop();
      await nats.stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** Accepts connections and keeps them open also while it forwards nothing, as a network that loses packets. */
async function startProxy(target: number) {
  const sockets = new Set<Socket>();
  let isHolding = false;
  const join = (from: Socket, to: Socket) => {
    sockets.add(from);
    from.on('data', (bytes: Buffer) => to.write(bytes));
    from.on('error', () => {});
    from.on('close', () => {
      sockets.delete(from);
      to.destroy();
    });
    if (isHolding) from.pause();
  };
  const server = createServer((client) => {
    const broker = connect(target, '127.0.0.1');
    join(client, broker);
    join(broker, client);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    hold() {
      isHolding = true;
      for (const socket of sockets) socket.pause();
    },
    forward() {
      isHolding = false;
      for (const socket of sockets) socket.resume();
    },
    stop() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
