import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';

/** Acts on a connection once its request has come. */
export type Scenario = (socket: Socket) => void;

/** A TCP upstream with scripted behavior, valid HTTP or not. */
export interface HostileServer {
  readonly url: string;
  /** From the next request on. */
  scenario: Scenario;
  requests: number;
  /** The request on the newest connection so far, head and body. */
  received: string;
  /** The bytes that the other sides of all connections have taken. */
  bytesTaken: number;
  stop(): Promise<void>;
}

export async function startHostileServer(): Promise<HostileServer> {
  const sockets = new Set<Socket>();
  const hostile: HostileServer = {
    url: '',
    scenario: (socket) => void socket.destroy(),
    requests: 0,
    received: '',
    bytesTaken: 0,
    async stop() {
      for (const socket of sockets) socket.destroy();
      const closed = once(server, 'close');
      server.close();
      await closed;
    },
  };
  const server = createServer((socket) => {
    sockets.add(socket);
    let head = '';
    hostile.received = '';
    socket.on('error', () => {});
    socket.on('close', () => {
      sockets.delete(socket);
      hostile.bytesTaken += socket.bytesWritten;
    });
    socket.on('data', (chunk: Buffer) => {
      const isNew = head.includes('\r\n\r\n');
      head += chunk.toString('latin1');
      hostile.received = Buffer.from(head, 'latin1').toString();
      if (isNew || !head.includes('\r\n\r\n')) return;
      hostile.requests += 1;
      hostile.scenario(socket);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return Object.assign(hostile, { url: `http://127.0.0.1:${String(port)}/v1` });
}

/** The head of an answer, with a body that ends when the connection does. */
export function head(status: number, fields: Readonly<Record<string, string>> = {}): string {
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${String(status)} Anything\r\nconnection: close\r\n${lines.join('')}\r\n`;
}

export const streamHead = head(200, { 'content-type': 'text/event-stream' });
export const jsonHead = head(200, { 'content-type': 'application/json' });

/** Sends it over and over, as fast as it is taken, until the other side has had enough. */
export function forever(socket: Socket, bytes: string | Uint8Array): void {
  const fill = (): void => {
    while (!socket.destroyed && socket.write(bytes));
    if (!socket.destroyed) socket.once('drain', fill);
  };
  fill();
}

/** Sends it again and again with pauses. */
export function dripping(socket: Socket, bytes: string, everyMs: number): void {
  const timer = setInterval(() => socket.write(bytes), everyMs);
  socket.on('close', () => clearInterval(timer));
}
