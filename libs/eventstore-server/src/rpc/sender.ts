import type { ServerWritableStream } from '@grpc/grpc-js';
import { untilCalled } from '../store/watch.ts';

/** Writes one message after the other at the pace of the reader on the other side. */
export type Send<Message> = (message: Message) => Promise<void>;

/** `send` waits while the call's buffer is full; it throws when the signal aborts. */
export function sender<Request, Message>(
  call: ServerWritableStream<Request, Message>,
  signal: AbortSignal,
): Send<Message> {
  return async (message) => {
    signal.throwIfAborted();
    if (call.write(message)) return;
    await untilCalled(signal, (resolve) => {
      call.once('drain', resolve);
      return () => call.off('drain', resolve);
    });
    signal.throwIfAborted();
  };
}
