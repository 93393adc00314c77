import {
  createServer as createHttpServer,
  type IncomingMessage,
  request,
  type ServerResponse,
} from 'node:http';
import type { Server, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { isAllowedHost } from './allowed-domains.ts';

/** Connects to a host whose address may be reached; throws for one that may not. */
export type Dial = (target: { readonly host: string; readonly port: number }) => Promise<Socket>;

/** Serves the way out of boxes: a proxy that connects to allowed hosts only. */
export interface Egress {
  /** Answers on a listening socket until it is stopped. */
  serve(server: Server, allowedDomains: readonly string[]): { readonly stop: () => Promise<void> };
  /** Answers on the connections that it is given until it is stopped. */
  open(allowedDomains: readonly string[]): WayOut;
}

export interface WayOut {
  accept(socket: Socket): void;
  stop(): Promise<void>;
}

const allowedPorts = [80, 443];
const connectionsMax = 64;
const idleMs = 60_000;

export function createEgress(dial: Dial): Egress {
  return {
    serve(server, allowedDomains) {
      const { proxy, stop } = proxyTo(allowedDomains, dial);
      proxy.maxConnections = connectionsMax;
      proxy.listen(server);
      return {
        async stop() {
          await stop();
          server.close();
        },
      };
    },
    open(allowedDomains) {
      const { proxy, stop } = proxyTo(allowedDomains, dial);
      let open = 0;
      return {
        accept(socket) {
          if (open >= connectionsMax) return void socket.destroy();
          open++;
          socket.once('close', () => open--);
          proxy.emit('connection', socket);
        },
        stop,
      };
    },
  };
}

function proxyTo(allowedDomains: readonly string[], dial: Dial) {
  const sockets = new Set<Duplex>();
  const track = <S extends Duplex>(socket: S): S => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    socket.on('error', () => socket.destroy());
    return socket;
  };
  const proxy = createHttpServer({ requestTimeout: idleMs });
  proxy.on('connection', (socket: Socket) => {
    track(socket).setTimeout(idleMs, () => socket.destroy());
  });
  const reach = (target: Target | undefined) => reachable(target, allowedDomains);
  proxy.on('connect', (incoming, client, head) => {
    const target = reach(targetOf(`http://${incoming.url}`, 443));
    void tunnel({ client, head, target, dial, track });
  });
  proxy.on('request', (incoming, outgoing) => {
    void forward({ incoming, outgoing, reach, dial, track });
  });
  const stop = async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise<void>((resolve) => proxy.close(() => resolve()));
  };
  return { proxy, stop };
}

interface Target {
  readonly host: string;
  readonly port: number;
  readonly path: string;
}

function targetOf(address: string | undefined, defaultPort: number): Target | undefined {
  if (!address?.startsWith('http://') || !URL.canParse(address)) return undefined;
  const url = new URL(address);
  const written = /^http:\/\/[^/]*:(\d+)(?:\/|$)/.exec(address)?.[1];
  const port = written === undefined ? defaultPort : Number(written);
  return { host: url.hostname, port, path: `${url.pathname}${url.search}` };
}

function reachable(target: Target | undefined, allowed: readonly string[]): Target | undefined {
  if (target === undefined || !allowedPorts.includes(target.port)) return undefined;
  return isAllowedHost(target.host, allowed) ? target : undefined;
}

type Track = <S extends Duplex>(socket: S) => S;

interface Tunnel {
  readonly client: Duplex;
  readonly head: Buffer;
  readonly target: Target | undefined;
  readonly dial: Dial;
  readonly track: Track;
}

const refusal = 'the network policy of this container does not allow this host';

async function tunnel({ client, head, target, dial, track }: Tunnel): Promise<void> {
  track(client);
  if (target === undefined) return refuse(client, 403);
  try {
    const upstream = track(await dial(target));
    upstream.setTimeout(idleMs, () => upstream.destroy());
    client.write('HTTP/1.1 200 Connection established\r\n\r\n');
    upstream.write(head);
    upstream.once('close', () => client.destroy());
    client.once('close', () => upstream.destroy());
    upstream.pipe(client).pipe(upstream);
  } catch {
    refuse(client, 502);
  }
}

function refuse(client: Duplex, status: 403 | 502): void {
  const reason = status === 403 ? 'Forbidden' : 'Bad Gateway';
  client.end(`HTTP/1.1 ${status} ${reason}\r\nContent-Length: 0\r\nX-Reason: ${refusal}\r\n\r\n`);
}

interface Forward {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  readonly reach: (target: Target | undefined) => Target | undefined;
  readonly dial: Dial;
  readonly track: Track;
}

const hopHeaders = [
  'connection',
  'proxy-connection',
  'proxy-authorization',
  'keep-alive',
  'host',
  'te',
  'upgrade',
];

async function forward({ incoming, outgoing, reach, dial, track }: Forward): Promise<void> {
  const target = reach(targetOf(incoming.url, 80));
  if (target === undefined) {
    outgoing.writeHead(403, { 'content-type': 'text/plain' }).end(`${refusal}\n`);
    return;
  }
  const fail = () => {
    if (!outgoing.headersSent) outgoing.writeHead(502);
    outgoing.end();
  };
  try {
    const socket = track(await dial(target));
    const kept = Object.entries(incoming.headers).filter(([name]) => !hopHeaders.includes(name));
    const upstream = request({
      createConnection: () => socket,
      method: incoming.method,
      path: target.path,
      headers: { ...Object.fromEntries(kept), host: hostHeader(target), connection: 'close' },
    });
    upstream.on('error', fail);
    upstream.on('response', (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.on('error', fail);
      answer.pipe(outgoing);
    });
    incoming.pipe(upstream);
    outgoing.once('close', () => upstream.destroy());
  } catch {
    fail();
  }
}

const hostHeader = ({ host, port }: Target) => (port === 80 ? host : `${host}:${port}`);
