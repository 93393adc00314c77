import {
  type Bus,
  type BusMessage,
  endStream,
  failureStream,
  nameStream,
  subjectFilters,
  usageStream,
} from '@sluice/bus';
import type { Clock } from '@sluice/clock-and-ids';
import type { Logger } from '@sluice/logging';
import type { Database } from '@sluice/read-model';
import type { Metrics } from '@sluice/telemetry';
import type { Destinations } from '../clients/destinations.ts';
import type { DestinationCounts } from '../delivery/destination-counts.ts';
import type { Received } from '../domain/part.ts';
import {
  readEnds,
  readFailure,
  readKeyName,
  type ReadMessage,
  readUsage,
} from '../messages/read-parts.ts';
import { appendParts } from '../store/append.ts';
import { storeKeyNames } from '../store/key-names.ts';
import { newOmitted, noteOmitted } from '../store/omitted.ts';

export interface ConsumeDependencies {
  readonly bus: Bus;
  readonly database: Database;
  readonly destinations: Destinations;
  readonly counts: Pick<DestinationCounts, 'addLost'>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Pick<Metrics, 'observerMessages'>;
  /** Told that there are new generations. */
  readonly onFinished: () => void;
}

const batchMax = 250;
const batchBytesMax = 4_194_304;
/** A batch is a transaction, whose writing to disk delays others. */
const batchEveryMs = 200;

/** The durable consumers, a row each. */
const sources: readonly {
  readonly stream: string;
  readonly durable: string;
  readonly filter: string;
  readonly read: (message: BusMessage, destinations: Destinations) => ReadMessage;
}[] = [
  {
    stream: usageStream.name,
    durable: 'observer-usage',
    filter: subjectFilters.usageRecorded,
    read: readUsage,
  },
  {
    stream: failureStream.name,
    durable: 'observer-failures',
    filter: subjectFilters.generationFailed,
    read: readFailure,
  },
  {
    stream: endStream.name,
    durable: 'observer-ends',
    filter: subjectFilters.generationEnded,
    read: readEnds,
  },
];

/** Stores what the bus delivers until the signal aborts. A batch is acknowledged once it is committed. */
export async function consumeParts(
  dependencies: ConsumeDependencies,
  signal: AbortSignal,
): Promise<void> {
  const { bus, database, destinations } = dependencies;
  await Promise.all([
    ...sources.map(async ({ read, ...source }) => {
      await bus.consume({
        ...source,
        batchMax,
        batchBytesMax,
        batchEveryMs,
        signal,
        handle: (messages) =>
          store(
            dependencies,
            messages.map((message) => read(message, destinations)),
          ),
      });
    }),
    bus.consume({
      stream: nameStream.name,
      durable: 'observer-names',
      filter: subjectFilters.entityNamed,
      batchMax,
      signal,
      async handle(messages) {
        const names = messages.flatMap((message) => readKeyName(message) ?? []);
        await storeKeyNames(database, names);
      },
    }),
  ]);
}

async function store(
  { database, destinations, counts, clock, logger, metrics, onFinished }: ConsumeDependencies,
  read: readonly ReadMessage[],
): Promise<void> {
  const unreadable = read.reduce((sum, one) => sum + one.unreadable, 0);
  metrics.observerMessages.add(unreadable, { outcome: 'unreadable' });
  if (unreadable > 0)
    logger.error('messages about generations cannot be read', { count: unreadable });
  const omitted = read.flatMap((one) => one.omitted);
  const omittedCount = omitted.reduce((sum, { count }) => sum + count, 0);
  metrics.observerMessages.add(omittedCount, { outcome: 'omitted' });
  const parts = read
    .flatMap((one) => one.parts)
    .filter((part) => destinations.isObserved(part.workspaceId, endOf(part)));
  if (parts.length === 0) return;
  const now = clock.now();
  const { finished, lost } = await database.transaction(async (transaction) => {
    const fresh = await newOmitted(transaction, omitted);
    return {
      finished: await appendParts(transaction, parts, now),
      lost: await noteOmitted(transaction, fresh, now),
    };
  });
  metrics.observerMessages.add(parts.length, { outcome: 'stored' });
  for (const { destinationId, count } of lost) {
    counts.addLost(destinationId, Number(count));
    logger.error('failed generations were not published: they are lost for a destination', {
      destinationId,
      count: Number(count),
    });
  }
  if (finished > 0) onFinished();
}

function endOf({ part }: Received): number {
  switch (part.kind) {
    case 'fact':
      return Date.parse(part.fact.completedAt);
    case 'failure':
      return Date.parse(part.failure.completedAt);
    case 'end':
      return part.end.endedAtMs;
  }
}
