import { noFaults } from './fault-switches.ts';
import { openGates } from './log/append-log.ts';
import { EventLogStore } from './store/event-log-store.ts';
import { idBytes } from './store/uuid.ts';

export interface EventLogOptions {
  /** Made when absent. No node may use it meanwhile: rejects with DirectoryInUse. */
  readonly directory: string;
}

export interface NewStreamEvent {
  /** A UUID. */
  readonly id: string;
  readonly type: string;
  readonly data: object;
  readonly metadata: object;
}

/** Opens the log of a stopped node, to import many streams at once. */
export interface EventLog {
  /** Begins a stream with one event. Durable when the promise resolves. Throws when there is such a stream. */
  begin(stream: string, event: NewStreamEvent): Promise<void>;
  close(): Promise<void>;
}

const segmentBytesMax = 64 * 1024 * 1024;
/** Nothing is read. */
const cacheBytesMax = 1024 * 1024;
const recentIdsMax = 1_024;

/** Opens the log as the node does, without the wire. */
export async function openEventLog({ directory }: EventLogOptions): Promise<EventLog> {
  let failure: Error | undefined;
  const store = await EventLogStore.open({
    directory,
    segmentBytesMax,
    cacheBytesMax,
    recentIdsMax,
    nowMs: () => Date.now(),
    onFatal: (error) => {
      failure = error;
    },
    acceptLoss: false,
    report: (sentence) => void process.stderr.write(`${sentence}\n`),
    silentDuplicates: false,
    gates: openGates,
    faults: noFaults(),
  });
  return {
    async begin(stream, { id, type, data, metadata }) {
      if (failure) throw failure;
      const event = {
        id: idBytes(id),
        type,
        json: true,
        data: Buffer.from(JSON.stringify(data)),
        metadata: Buffer.from(JSON.stringify(metadata)),
      };
      const { kind } = await store.append({ stream, expected: 'no_stream', events: [event] });
      if (kind !== 'written') throw new Error(`${stream} could not be begun: ${kind}`);
    },
    close: () => store.close(),
  };
}
