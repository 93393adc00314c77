import { type ConnectedEventStore, connectEventStore } from '@sluice/eventstore';
import { repeat, type Timings } from '../timings.ts';
import { anEvent, streamPrefix } from './events.ts';

const warmUpMs = 2_000;
const measureMs = 6_000;

/**
 * Measures durable appends of one event each, to a stream for each writer, in a closed loop. A
 * connection of ours has 32 in flight at most, so more in flight need more connections.
 */
export async function measureAppends(
  url: string,
  { inFlight, connections }: { readonly inFlight: number; readonly connections: number },
): Promise<Timings> {
  const stores: ConnectedEventStore[] = [];
  for (let index = 0; index < connections; index++) stores.push(await connectEventStore({ url }));
  const revisions = new Map<number, bigint>();
  const act = async (writer: number) => {
    const stream = `${streamPrefix}${inFlight}-${writer}`;
    const expected = revisions.get(writer) ?? 'no_stream';
    const answer = await stores[writer % connections]?.append(stream, [anEvent()], expected);
    if (answer) revisions.set(writer, answer.revision);
  };
  try {
    return await repeat({ warmUpMs, measureMs, inFlight, act });
  } finally {
    await Promise.all(stores.map((store) => store.stop()));
  }
}
