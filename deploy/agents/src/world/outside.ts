import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Stands where an agent would find the world: refuses each call, and says which hosts were asked for. */
export interface Outside {
  readonly environment: Readonly<Record<string, string>>;
  /** Returns the hosts since the last look. */
  look(): readonly string[];
  stop(): Promise<void>;
}

const loopback = '127.0.0.1,localhost';

export async function startOutside(): Promise<Outside> {
  let hosts = new Set<string>();
  const server = createServer((request, response) => {
    hosts.add(URL.parse(request.url ?? '')?.host ?? request.headers.host ?? 'unknown');
    response.writeHead(403).end();
  });
  server.on('connect', (request, socket) => {
    hosts.add(request.url ?? 'unknown');
    socket.on('error', () => {}).end('HTTP/1.1 403 Forbidden\r\n\r\n');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const names = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY'];
  const both = [...names, ...names.map((name) => name.toLowerCase())];
  return {
    environment: {
      ...Object.fromEntries(both.map((name) => [name, url])),
      NO_PROXY: loopback,
      no_proxy: loopback,
    },
    look() {
      const seen = [...hosts];
      hosts = new Set();
      return seen;
    },
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
