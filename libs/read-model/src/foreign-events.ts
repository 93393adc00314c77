import type { RecordedEvent } from '@sluice/es';
import type { Telemetry } from '@sluice/telemetry';
import type { ProjectorLogger } from './projector-options.ts';

const streamsToldMax = 1_000;

/** Counts the events of others among those of a projection, and tells of them once a stream, of so many streams. */
export class ForeignEvents {
  readonly #told = new Set<string>();
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

  skipped(events: readonly RecordedEvent[]): void {
    if (events.length > 0) this.#metrics.projectionForeignEvents.add(events.length, this.#name);
    for (const { id, stream, type } of events) {
      if (this.#told.has(stream) || this.#told.size >= streamsToldMax) continue;
      this.#told.add(stream);
      this.#logger.warn('an event of somebody else is skipped', {
        ...this.#name,
        eventId: id,
        stream,
        type,
      });
    }
  }
}
