import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

/** The time in which a client must read a refusal before its connection is closed. */
const refusalMsMax = 5_000;

const receiving = new WeakSet<Socket>();

/**
 * Gives the body of a request more time than the server gives to all others. Calls `late` when that time has passed,
 * and closes the connection soon after.
 */
export function allowSlowBody(
  request: IncomingMessage,
  { timeoutMs, late }: { readonly timeoutMs: number; readonly late: () => void },
): void {
  const { socket } = request;
  receiving.add(socket);
  const closing = setTimeout(() => socket.destroy(), timeoutMs + Math.min(refusalMsMax, timeoutMs));
  const timer = setTimeout(late, timeoutMs);
  request.on('close', () => {
    receiving.delete(socket);
    clearTimeout(timer);
    clearTimeout(closing);
  });
}

/** Returns true while the connection receives a body that has more time. */
export function isSlowBody(socket: Socket): boolean {
  return receiving.has(socket);
}
