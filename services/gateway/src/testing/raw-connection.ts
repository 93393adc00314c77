import { connect, type Socket } from 'node:net';
import { eventually } from '@sluice/patience';

/** A TCP connection that says exactly what a test wants said. */
export interface RawConnection {
  readonly socket: Socket;
  send(text: string): void;
  /** All that came so far. */
  received(): string;
  /** Resolves when what came contains the text. */
  until(text: string): Promise<string>;
  /** Resolves with all that came when the other side has closed. */
  closed(): Promise<string>;
}

export async function rawConnection(port: number): Promise<RawConnection> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  let text = '';
  let isClosed = false;
  socket.on('data', (chunk) => {
    text += chunk.toString('latin1');
  });
  // A reset is one way of being closed.
  socket.on('error', () => {});
  socket.on('close', () => {
    isClosed = true;
  });
  const wait = (condition: () => boolean, what: string) =>
    eventually(() => {
      if (!condition()) throw new Error(`still waiting for ${what}; came: ${text.slice(0, 500)}`);
      return text;
    });
  await new Promise((resolve) => socket.once('connect', resolve));
  return {
    socket,
    send: (sent) => void socket.write(sent, 'latin1'),
    received: () => text,
    until: (part) => wait(() => text.includes(part), part),
    closed: () => wait(() => isClosed, 'the end'),
  };
}
