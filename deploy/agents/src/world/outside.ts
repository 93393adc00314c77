import { createServer } from 'node:http';
import { listenOnLoopback } from '@sluice/acceptance/loopback';

/** Stands where an agent would find the world: refuses each call, and says which hosts were asked for. */
export interface Outside {
  readonly environment: Readonly<Record<string, string>>;
  /** Returns the hosts since the last look. */
  look(): readonly string[];
  stop(): Promise<void>;
}

const ownAddresses = '127.0.0.1,localhost';

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
  const loopback = await listenOnLoopback(server);
  const { url } = loopback;
  const names = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY'];
  const both = [...names, ...names.map((name) => name.toLowerCase())];
  return {
    environment: {
      ...Object.fromEntries(both.map((name) => [name, url])),
      NO_PROXY: ownAddresses,
      no_proxy: ownAddresses,
    },
    look() {
      const seen = [...hosts];
      hosts = new Set();
      return seen;
    },
    stop: () => loopback.stop(),
  };
}
