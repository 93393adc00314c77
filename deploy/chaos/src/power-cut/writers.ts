import type { EventStore, EventToAppend } from '@sluice/es';
import { type ConnectedEventStore, connectEventStore } from '@sluice/eventstore';
import type { Random } from '@sluice/testing/random';
import type { Oracle } from './oracle.ts';

export interface WritersOptions {
  readonly url: string;
  /** Part of the streams' names. */
  readonly round: number;
  readonly oracle: Oracle;
  readonly random: Random;
  readonly makeEvents: (textLengthMax: number) => readonly EventToAppend[];
}

export interface Writers {
  /** Takes no answer for an acknowledgement from now on. */
  believeNothing(): void;
  /** Resolves when every append has been answered or has failed. */
  stop(): Promise<void>;
}

/** The prefix of each stream that is written here. */
export const streamPrefix = 'powerCut-';

/** Every connection has 15 appends in flight at most. */
const connections = 4;
const writersPerConnection = 14;
const textLengthsMax = [200, 2_000, 30_000, 200_000] as const;

/** Appends as fast as answers come: each writer to a stream of its own, now and then to a shared one. */
export async function startWriters(options: WritersOptions): Promise<Writers> {
  const { url, random } = options;
  const stopping = new AbortController();
  const doubting = new AbortController();
  const textLengthMax = random.pick(textLengthsMax);
  const stores: ConnectedEventStore[] = [];
  const running: Promise<void>[] = [];
  for (let connection = 0; connection < connections; connection++) {
    const store = await connectEventStore({ url });
    stores.push(store);
    for (let writer = 0; writer < writersPerConnection; writer++) {
      const name = `${connection}-${writer}`;
      const signals = { stopping: stopping.signal, doubting: doubting.signal };
      running.push(write(options, { store, name, textLengthMax, ...signals }));
    }
  }
  return {
    believeNothing: () => doubting.abort(),
    async stop() {
      stopping.abort();
      await Promise.all(stores.map((store) => store.stop()));
      await Promise.all(running);
    },
  };
}

interface Writer {
  readonly store: Pick<EventStore, 'append'>;
  readonly name: string;
  readonly textLengthMax: number;
  readonly stopping: AbortSignal;
  readonly doubting: AbortSignal;
}

async function write(options: WritersOptions, writer: Writer): Promise<void> {
  const { oracle, makeEvents, round } = options;
  const random = options.random.fork();
  const own = `${streamPrefix}${round}-${writer.name}`;
  let revision: bigint | undefined;
  while (!writer.stopping.aborted) {
    const shared = random.next() < 0.2;
    const stream = shared ? `${streamPrefix}${round}-shared` : own;
    const append = oracle.asked(stream, makeEvents(writer.textLengthMax));
    try {
      const expected = shared ? 'any' : (revision ?? 'no_stream');
      const result = await writer.store.append(stream, append.events, expected);
      if (!writer.doubting.aborted) oracle.acknowledged(append, result);
      if (!shared) revision = result.revision;
    } catch {
      // The node does not answer without power. A writer without an answer stops.
      return;
    }
  }
}
