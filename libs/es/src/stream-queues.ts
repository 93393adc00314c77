import { Fault } from '@sluice/errors';

/** The state that one turn leaves to the next. It is dropped once no command waits. */
export interface Turn {
  kept: unknown;
  /** The fault for commands that waited in vain because the event store was away. */
  away?: Fault | undefined;
}

/** Runs work on one stream in the order in which it came, and on different streams at once. */
export type StreamQueues = <Result>(
  stream: string,
  work: (turn: Turn) => Promise<Result>,
) => Promise<Result>;

interface Queue extends Turn {
  /** Running and waiting. */
  length: number;
  /** Resolves when the last of them is done. Never rejects. */
  idle: Promise<unknown>;
}

/** Makes queues that hold up to `lengthMax` each. Beyond that, work faults with `revision_conflict`. */
export function streamQueues(lengthMax: number): StreamQueues {
  const queues = new Map<string, Queue>();
  return async (stream, work) => {
    const queue = queues.get(stream) ?? { length: 0, idle: Promise.resolve(), kept: undefined };
    if (queue.length >= lengthMax) throw new Fault('revision_conflict', { retryAfterSeconds: 1 });
    queues.set(stream, queue);
    queue.length += 1;
    const result = queue.idle.then(() => work(queue));
    queue.idle = result.then(nothing, nothing);
    try {
      return await result;
    } finally {
      queue.length -= 1;
      if (queue.length === 0) queues.delete(stream);
    }
  };
}

const nothing = () => undefined;
