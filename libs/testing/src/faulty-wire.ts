import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/** A TCP proxy in front of a server without fault switches. It fails as a network does. */
export interface FaultyWire {
  readonly port: number;
  /** Bytes wait, both ways; connections stay open. */
  hold(): void;
  /** Throws away the answers of the server from now on, until the connections are broken. */
  swallowAnswers(): void;
  /** Throws away all bytes, both ways, until everything passes again. */
  swallow(): void;
  /** Everything passes again. */
  pass(): void;
  /** Ends each connection; new ones pass. */
  break(): void;
  /** Ends each connection as a firewall does that forgot it, with a reset; new ones pass. */
  reset(): void;
  /** Forwards nothing on the connections that are open, for good, and leaves them open; new ones pass. */
  silence(): void;
  stop(): void;
}

export interface Target {
  readonly host: string;
  readonly port: number;
}

/** Listens on a free port of the loopback interface. Each chunk is `lateMs()` late, and still in its order. */
export async function startFaultyWire(target: Target, lateMs?: () => number): Promise<FaultyWire> {
  const sockets = new Set<Socket>();
  const silenced = new WeakSet<Socket>();
  let isHolding = false;
  let swallowed: 'nothing' | 'answers' | 'all' = 'nothing';
  const track = (socket: Socket, other: Socket) => {
    sockets.add(socket);
    socket.setNoDelay(true);
    socket.on('error', () => undefined);
    socket.on('close', () => {
      sockets.delete(socket);
      other.destroy();
    });
    if (isHolding) socket.pause();
  };
  const server = createServer((client) => {
    const upstream = connect(target.port, target.host);
    track(client, upstream);
    track(upstream, client);
    const [ask, answer] = [writerTo(upstream, lateMs), writerTo(client, lateMs)];
    client.on('data', (bytes: Buffer) => {
      if (swallowed !== 'all') ask(bytes);
    });
    upstream.on('data', (bytes: Buffer) => {
      if (swallowed === 'nothing') answer(bytes);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    hold() {
      isHolding = true;
      for (const socket of sockets) socket.pause();
    },
    swallowAnswers() {
      swallowed = 'answers';
    },
    swallow() {
      swallowed = 'all';
    },
    pass() {
      isHolding = false;
      swallowed = 'nothing';
      for (const socket of sockets) if (!silenced.has(socket)) socket.resume();
    },
    break() {
      for (const socket of sockets) socket.destroy();
    },
    reset() {
      for (const socket of sockets) socket.resetAndDestroy();
    },
    silence() {
      for (const socket of sockets) silenced.add(socket.pause());
    },
    stop() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

function writerTo(socket: Socket, lateMs?: () => number): (bytes: Buffer) => void {
  if (!lateMs) return (bytes) => void socket.write(bytes);
  let last = Promise.resolve();
  return (bytes) => {
    last = last.then(async () => {
      await delay(lateMs());
      if (!socket.destroyed) socket.write(bytes);
    });
  };
}
