import { createServer, type Server, type Socket } from 'node:net';
import type { Egress, WayOut } from '../../egress/egress.ts';

/**
 * The port of the egress proxy that all pods share. The address of a pod says which allowlist holds for a connection;
 * one from an address without a list is ended.
 */
export interface EgressDoor {
  readonly port: number;
  /** Lets a pod through to the hosts of its list until it is stopped. */
  admit(addresses: readonly string[], allowedDomains: readonly string[]): () => Promise<void>;
  close(): Promise<void>;
}

export async function openEgressDoor(egress: Egress, port: number): Promise<EgressDoor> {
  const ways = new Map<string, WayOut>();
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    const way = ways.get(plainAddress(socket));
    if (way) way.accept(socket);
    else socket.destroy();
  });
  await listening(server, port);
  return {
    port: portOf(server),
    admit(addresses, allowedDomains) {
      const way = egress.open(allowedDomains);
      for (const address of addresses) ways.set(address, way);
      return async () => {
        // The cluster may have given the address to another pod by now.
        for (const address of addresses) if (ways.get(address) === way) ways.delete(address);
        await way.stop();
      };
    },
    async close() {
      await Promise.all([...new Set(ways.values())].map((way) => way.stop()));
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

/** Listens on a port of all addresses of this process. */
export async function listening(server: Server, port: number): Promise<Server> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, resolve);
  });
  server.unref();
  return server;
}

export function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the port is not open');
  return address.port;
}

/** A socket of both families shows an IPv4 address inside of an IPv6 one. */
const plainAddress = (socket: Socket) => (socket.remoteAddress ?? '').replace(/^::ffff:/, '');
