import { Fault } from '@sluice/errors';
import { comparePositions, type Position, type RecordedEvent } from '@sluice/es';

/**
 * Throws read_model_unavailable unless a read model holds all of these events in time. A reaction that publishes a
 * change waits so: consumers ask the read model at once. The batch is applied again.
 */
export async function requireHeld(
  held: (position: Position) => Promise<boolean>,
  events: readonly RecordedEvent[],
): Promise<void> {
  const [last] = events.map(({ position }) => position).toSorted((a, b) => comparePositions(b, a));
  if (last && !(await held(last))) throw new Fault('read_model_unavailable');
}
