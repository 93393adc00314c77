import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A server of a test or a tool. */
export interface Loopback {
  /** Has no path. */
  readonly url: string;
  /** Ends all connections too. */
  stop(): Promise<void>;
}

/** Lets a server listen on a free port of this machine. */
export async function listenOnLoopback(server: Server): Promise<Loopback> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async stop() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
