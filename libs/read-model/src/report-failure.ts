import { PoisonedEvent } from './apply-batch.ts';
import type { ProjectorOptions } from './projector-options.ts';
import { brokenEvent } from './standstill/broken-event.ts';

/** Logs and counts a failure that does not pass by itself, with the broken event if there is one. */
export function reportFailure(
  { logger, telemetry, projection: { projection } }: ProjectorOptions,
  message: string,
  thrown: unknown,
): void {
  const event = thrown instanceof PoisonedEvent ? brokenEvent(thrown) : undefined;
  const error = thrown instanceof PoisonedEvent ? thrown.cause : thrown;
  const where = event ? { eventId: event.id, stream: event.stream } : {};
  logger.error(message, { projection, error, ...where });
  telemetry.metrics.projectionFailures.add(1, { projection });
}
