import { createInbox, headers, type Msg, type NatsConnection } from '@nats-io/transport-node';

/** Hands messages to streams and waits for their word that they are stored. */
export interface FactPublisher {
  /** Resolves when a stream has stored it, or had stored its id before. Throws when none says so in time. */
  publish(subject: string, id: string, payload: Uint8Array): Promise<void>;
}

interface Waiting {
  readonly deadlineMs: number;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

const noResponders = 503;

/**
 * One inbox and one clock for all: the client's own requests have a subscription token, a timer and an error
 * with its stack each, which cost more than the message. Asks the connection for nothing but its messages.
 */
export function factPublisher(connection: NatsConnection, timeoutMs: number): FactPublisher {
  const inbox = createInbox();
  /** By the last token of the reply subject; in the order of their deadlines. */
  const waiting = new Map<string, Waiting>();
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
      reject(new Error('no stream has answered in time'));
    }
  };
  connection.subscribe(`${inbox}.*`, {
    callback: (error, message) => {
      if (error) return;
      const token = message.subject.slice(inbox.length + 1);
      const one = waiting.get(token);
      if (!one) return;
      waiting.delete(token);
      const problem = problemOf(message);
      if (problem === undefined) one.resolve();
      else one.reject(new Error(problem));
    },
  });

  return {
    publish: (subject, id, payload) =>
      new Promise((resolve, reject) => {
        last += 1;
        const token = last.toString(36);
        const named = headers();
        named.set('Nats-Msg-Id', id);
        connection.publish(subject, payload, { reply: `${inbox}.${token}`, headers: named });
        waiting.set(token, { deadlineMs: performance.now() + timeoutMs, resolve, reject });
        clock ??= setTimeout(sweep, timeoutMs).unref();
      }),
  };
}

/** undefined: it is stored. */
function problemOf({ data, headers: given }: Msg): string | undefined {
  if (data.length === 0)
    return given?.code === noResponders ? 'no stream takes the subject' : 'an empty answer';
  try {
    const answer = JSON.parse(Buffer.from(data).toString()) as {
      readonly stream?: unknown;
      readonly error?: { readonly description?: unknown };
    };
    if (answer.error) return String(answer.error.description);
    return typeof answer.stream === 'string' && answer.stream !== ''
      ? undefined
      : 'an answer that names no stream';
  } catch {
    return 'an answer that is no JSON';
  }
}
