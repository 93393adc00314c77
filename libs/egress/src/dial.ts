import type { Socket } from 'node:net';
import { type AllowList, allowNothing } from './allow-list.ts';
import { checkedConnector } from './checked-connector.ts';

export interface CheckedDialOptions {
  /** The addresses that the operator allows besides the public ones. None if absent. */
  readonly allowList?: AllowList;
  /** Name servers as `address:port`. Absent: those of the system. */
  readonly nameServers?: readonly string[];
}

/** Connects to a host that a stranger names. Rejects if an address of the host may not be reached. */
export type CheckedDial = (target: {
  readonly host: string;
  readonly port: number;
}) => Promise<Socket>;

const connectTimeoutMs = 5_000;

/** Creates the way to hosts for a proxy that passes bytes on: it checks addresses as `createEgress` does. */
export function createDial(options: CheckedDialOptions = {}): CheckedDial {
  const { allowList = allowNothing, nameServers } = options;
  const connect = checkedConnector({ allowList, nameServers, connectTimeoutMs });
  return ({ host, port }) =>
    new Promise((resolve, reject) => {
      const asked = { hostname: host, host, protocol: 'http:', port: String(port) };
      connect(asked, (error, socket) => {
        if (socket) resolve(socket);
        else reject(error ?? new Error(`${host} could not be reached`));
      });
    });
}
