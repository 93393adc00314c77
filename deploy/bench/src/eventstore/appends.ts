import { type ConnectedEventStore, connectEventStore } from '@sluice/eventstore';
import { percentile } from '../percentile.ts';
import { anEvent, streamPrefix } from './events.ts';

export interface Appends {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

const warmUpMs = 2_000;
const measureMs = 6_000;

/**
 * Measures durable appends of one event each, to a stream for each writer, in a closed loop. A
 * connection of ours has 32 in flight at most, so more in flight need more connections.
 */
export async function measureAppends(
  url: string,
  { inFlight, connections }: { readonly inFlight: number; readonly connections: number },
): Promise<Appends> {
  const stores: ConnectedEventStore[] = [];
  for (let index = 0; index < connections; index++) stores.push(await connectEventStore({ url }));
  const samples: number[] = [];
  const startedMs = performance.now();
  const measuredFromMs = startedMs + warmUpMs;
  const endMs = measuredFromMs + measureMs;
  const write = async (writer: number, store: Pick<ConnectedEventStore, 'append'>) => {
    const stream = `${streamPrefix}${inFlight}-${writer}`;
    let revision: bigint | undefined;
    for (let nowMs = performance.now(); nowMs < endMs;) {
      const answer = await store.append(stream, [anEvent()], revision ?? 'no_stream');
      revision = answer.revision;
      const afterMs = performance.now();
      if (nowMs >= measuredFromMs && afterMs < endMs) samples.push(afterMs - nowMs);
      nowMs = afterMs;
    }
  };
  await Promise.all(
    stores.flatMap((store, connection) =>
      Array.from({ length: inFlight }, (_, writer) => writer)
        .filter((writer) => writer % connections === connection)
        .map((writer) => write(writer, store)),
    ),
  );
  await Promise.all(stores.map((store) => store.stop()));
  return {
    perSecond: samples.length / (measureMs / 1000),
    p50Ms: percentile(samples, 0.5),
    p99Ms: percentile(samples, 0.99),
  };
}
