import {
  createInbox,
  headers,
  type Msg,
  type MsgHdrs,
  type NatsConnection,
} from '@nats-io/transport-node';
import { Fault } from '@sluice/errors';
import type { StoredFact } from './bus.ts';
import { encode } from './message.ts';

/** Hands messages to streams and waits for their word that they are stored. */
export interface FactPublisher {
  /**
   * Resolves when a stream has stored it, or had stored its id before. Throws bus_unavailable when none says so
   * in time, and payload_too_large.
   */
  publish(subject: string, id: string, message: object): Promise<StoredFact>;
}

export interface FactPublisherOptions {
  readonly timeoutMs: number;
  readonly isConnected: () => boolean;
}

interface Waiting {
  readonly deadlineMs: number;
  readonly resolve: (stored: StoredFact) => void;
  readonly reject: (error: Error) => void;
}

const noResponders = 503;

/**
 * One inbox and one clock for all: the client's own requests have a subscription token, a timer and an error
 * with its stack each, which cost more than the message. Asks the connection for nothing but its messages.
 */
export function factPublisher(
  connection: NatsConnection,
  { timeoutMs, isConnected }: FactPublisherOptions,
): FactPublisher {
  const inbox = createInbox();
  const named = messageId();
  /** By the last token of the reply subject; in the order of their deadlines. */
  const waiting = new Map<number, Waiting>();
  let last = 0;
  let clock: NodeJS.Timeout | undefined;

  const sweep = () => {
    clock = undefined;
    const nowMs = performance.now();
    for (const [token, { deadlineMs, reject }] of waiting) {
      if (deadlineMs > nowMs) {
        clock = setTimeout(sweep, deadlineMs - nowMs).unref();
        return;
      }
      waiting.delete(token);
      reject(unavailable('no stream has answered in time'));
    }
  };
  connection.subscribe(`${inbox}.*`, {
    callback: (error, message) => {
      if (error) return;
      const token = Number(message.subject.slice(inbox.length + 1));
      const one = waiting.get(token);
      if (!one) return;
      waiting.delete(token);
      const answer = readAnswer(message);
      if (typeof answer === 'string') one.reject(unavailable(answer));
      else one.resolve(answer);
    },
  });

  return {
    publish: (subject, id, message) =>
      new Promise((resolve, reject) => {
        const payload = encode(message);
        if (!isConnected()) throw new Fault('bus_unavailable');
        const token = (last += 1);
        try {
          const reply = `${inbox}.${String(token)}`;
          connection.publish(subject, payload, { reply, headers: named.of(id) });
        } catch (cause) {
          throw new Fault('bus_unavailable', { cause });
        }
        waiting.set(token, { deadlineMs: performance.now() + timeoutMs, resolve, reject });
        clock ??= setTimeout(sweep, timeoutMs).unref();
      }),
  };
}

function unavailable(problem: string): Fault {
  return new Fault('bus_unavailable', { cause: new Error(problem) });
}

/** The client's map of headers costs more than the message: this one is only ever asked for its bytes. */
function messageId(): { readonly of: (id: string) => MsgHdrs } {
  let id = '';
  const encode = () => Buffer.from(`NATS/1.0\r\nNats-Msg-Id: ${id}\r\n\r\n`);
  const named = Object.assign(headers(), { encode });
  return {
    of(next) {
      if (/[\r\n]/.test(next)) throw new Error('an id of one line');
      id = next;
      return named;
    },
  };
}

/** Returns where the fact is stored, or in words why it is not. */
function readAnswer({ data, headers: given }: Msg): StoredFact | string {
  if (data.length === 0)
    return given?.code === noResponders ? 'no stream takes the subject' : 'an empty answer';
  const text = Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString();
  try {
    const { stream, seq, error } = JSON.parse(text) as {
      readonly stream?: unknown;
      readonly seq?: unknown;
      readonly error?: { readonly description?: unknown };
    };
    if (error) return String(error.description);
    return typeof stream === 'string' && stream !== '' && typeof seq === 'number'
      ? { stream, sequence: seq }
      : 'an answer that names no place in a stream';
  } catch {
    return 'an answer that is no JSON';
  }
}
