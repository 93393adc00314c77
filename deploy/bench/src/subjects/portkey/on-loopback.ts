import { Server } from 'node:net';

type Listen = (this: Server, ...given: unknown[]) => Server;

/** Loaded before a server that has a setting for its port and none for its address: it listens on this machine only. */
const listen = Reflect.get(Server.prototype, 'listen') as Listen;
Reflect.set(Server.prototype, 'listen', function listenHere(this: Server, ...given: unknown[]) {
  const [port, host, ...more] = given;
  return listen.call(this, port, host ?? '127.0.0.1', ...more);
} satisfies Listen);
