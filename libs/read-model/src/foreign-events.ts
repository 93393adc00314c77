import { goneStreamOf, type RecordedEvent } from '@sluice/es';
import type { Telemetry } from '@sluice/telemetry';
import type { FreshEvents } from './apply-batch.ts';
import type { ProjectorLogger } from './projector-options.ts';

const streamsReportedMax = 1_000;

/** Counts the events of others among those of a projection, and reports them once a stream, for so many streams. */
export class ForeignEvents {
  readonly #reported = new Set<string>();
  readonly #name: { readonly projection: string };
  readonly #logger: Pick<ProjectorLogger, 'warn'>;
  readonly #metrics: Pick<Telemetry['metrics'], 'projectionForeignEvents'>;

  constructor(
    name: { readonly projection: string },
    logger: Pick<ProjectorLogger, 'warn'>,
    { metrics }: Pick<Telemetry, 'metrics'>,
  ) {
    this.#name = name;
    this.#logger = logger;
    this.#metrics = metrics;
  }

  /** Skipped ones, and those by which streams are gone from the event store. */
  note({ foreign, events }: Pick<FreshEvents, 'foreign' | 'events'>): void {
    const skipped = foreign.map((event) => ({ event, stream: event.stream }));
    const [forged, others] = [true, false].map((isForged) =>
      skipped.filter(({ event }) => (event.leftOut === 'forged') === isForged),
    );
    this.#count(forged ?? [], 'a forged event is skipped');
    this.#count(others ?? [], 'an event of somebody else is skipped');
    const gone = events.flatMap((event) => {
      const stream = goneStreamOf(event);
      return stream === undefined ? [] : [{ event, stream }];
    });
    this.#count(gone, 'a stream was deleted or cut in the event store');
  }

  #count(
    found: readonly { readonly event: RecordedEvent; readonly stream: string }[],
    message: string,
  ): void {
    if (found.length > 0) this.#metrics.projectionForeignEvents.add(found.length, this.#name);
    for (const { event, stream } of found) {
      const line = `${message}: ${stream}`;
      if (this.#reported.has(line) || this.#reported.size >= streamsReportedMax) continue;
      this.#reported.add(line);
      const { id: eventId, type } = event;
      this.#logger.warn(message, { ...this.#name, eventId, stream, type });
    }
  }
}
