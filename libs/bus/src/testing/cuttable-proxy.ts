import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A TCP proxy in front of a broker, so that a test can take the broker away and bring it back. */
export interface CuttableProxy {
  readonly url: string;
  /** Breaks all connections and refuses new ones. */
  cut(): void;
  mend(): void;
  stop(): Promise<void>;
}

export async function cuttableProxy(target: string): Promise<CuttableProxy> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  let isCut = false;
  const track = (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
  };
  const server = createServer((client) => {
    track(client);
    if (isCut) return void client.destroy();
    const broker = connect(Number(port), hostname);
    track(broker);
    client.pipe(broker).pipe(client);
  });
  const destroyAll = () => {
    for (const socket of sockets) socket.destroy();
  };
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `nats://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut() {
      isCut = true;
      destroyAll();
    },
    mend() {
      isCut = false;
    },
    async stop() {
      const closed = new Promise((resolve) => server.close(resolve));
      destroyAll();
      await closed;
    },
  };
}
