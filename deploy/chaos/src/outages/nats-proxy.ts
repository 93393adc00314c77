import { createServer, connect, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { Random } from '@sluice/testing/random';

export interface NatsProxy {
  readonly port: number;
  /** How often all connections were broken, and how often everything was swallowed for a moment. */
  readonly faults: { resets: number; blackHoles: number };
  stop(): Promise<void>;
}

const latencyMsMax = 30;
const faultPauseMs = { min: 1_000, max: 4_000 };
const blackHoleMs = 700;

/**
 * A bad network in front of a broker: bytes come late, connections break in the middle of a message, and
 * now and then everything is swallowed, both ways, until the connection is reset.
 */
export async function startNatsProxy(targetPort: number, random: Random): Promise<NatsProxy> {
  const connections = new Set<readonly [Socket, Socket]>();
  const stopping = new AbortController();
  const faults = { resets: 0, blackHoles: 0 };
  let isBlackHole = false;
  const pass = (from: Socket, to: Socket) => {
    let last = Promise.resolve();
    from.on('data', (bytes: Buffer) => {
      if (isBlackHole) return;
      // Late, and still in order: it is one stream of bytes.
      last = last.then(async () => {
        await delay(random.next() ** 4 * latencyMsMax);
        if (!to.destroyed) to.write(bytes);
      });
    });
  };
  const server = createServer((client) => {
    const broker = connect(targetPort, '127.0.0.1');
    const pair = [client, broker] as const;
    connections.add(pair);
    const end = () => {
      connections.delete(pair);
      for (const socket of pair) socket.destroy();
    };
    for (const socket of pair) socket.on('error', end).on('close', end).setNoDelay(true);
    pass(client, broker);
    pass(broker, client);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const reset = () => {
    faults.resets++;
    for (const [client, broker] of connections) {
      client.resetAndDestroy();
      broker.resetAndDestroy();
    }
  };
  async function disturb(): Promise<void> {
    const { signal } = stopping;
    while (!signal.aborted) {
      await delay(random.between(faultPauseMs.min, faultPauseMs.max), undefined, { signal });
      if (random.next() < 0.5) {
        faults.blackHoles++;
        isBlackHole = true;
        await delay(blackHoleMs, undefined, { signal });
        isBlackHole = false;
      }
      reset();
    }
  }
  const disturbing = disturb().catch(() => {});
  return {
    port: (server.address() as AddressInfo).port,
    faults,
    async stop() {
      stopping.abort();
      await disturbing;
      const closed = new Promise((resolve) => {
        server.close(resolve);
      });
      reset();
      await closed;
    },
  };
}
