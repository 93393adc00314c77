import type { EventToAppend } from '@sluice/es';
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

/** The prefix of each stream that is written here. */
export const streamPrefix = 'powerCut-';

/** Every connection has 15 appends in flight at most. */
const connections = 4;
const writersPerConnection = 14;
const textLengthsMax = [200, 2_000, 30_000, 200_000] as const;

/** Appends as fast as answers come: each writer to a stream of its own, now and then to a shared one. */
export async function startWriters(options: WritersOptions) {
  const { url, random, oracle, makeEvents, round } = options;
  const textLengthMax = random.pick(textLengthsMax);
  const state = { isStopping: false, isDoubting: false };
  async function write(store: ConnectedEventStore, name: string, chance: Random): Promise<void> {
    let revision: bigint | undefined;
    while (!state.isStopping) {
      const isShared = chance.next() < 0.2;
      const stream = `${streamPrefix}${round}-${isShared ? 'shared' : name}`;
      const append = oracle.asked(stream, makeEvents(textLengthMax));
      const expected = isShared ? 'any' : (revision ?? 'no_stream');
      // The node does not answer without power. A writer without an answer stops.
      const result = await store.append(stream, append.events, expected).catch(() => undefined);
      if (!result) return;
      if (!state.isDoubting) oracle.acknowledged(append, result);
      if (!isShared) revision = result.revision;
    }
  }
  const stores: ConnectedEventStore[] = [];
  const running: Promise<void>[] = [];
  for (let connection = 0; connection < connections; connection++) {
    const store = await connectEventStore({ url });
    stores.push(store);
    for (let writer = 0; writer < writersPerConnection; writer++)
      running.push(write(store, `${connection}-${writer}`, random.fork()));
  }
  return {
    /** Takes no answer for an acknowledgement from now on. */
    believeNothing() {
      state.isDoubting = true;
    },
    async stop() {
      state.isStopping = true;
      await Promise.all(stores.map((store) => store.stop()));
      await Promise.all(running);
    },
  };
}
