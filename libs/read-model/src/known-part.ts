import { comparePositions, type Position } from '@sluice/es';
import type { Checkpoint } from './checkpoint.ts';
import type { ProjectedEventStore } from './projector-options.ts';

/**
 * Returns the place from which events may be new. A checkpoint also moves over events of others, so it may lie behind
 * the place up to which the log is known to be the same.
 */
export async function knownPart(
  eventStore: Pick<ProjectedEventStore, 'verified'>,
  checkpoint: Checkpoint | undefined,
): Promise<Position | undefined> {
  const known = await eventStore.verified?.();
  if (checkpoint === undefined || known === undefined) return checkpoint?.position;
  const { position, lastEvent } = checkpoint;
  // The log may have got other events since its own last one: those up to `known` are not applied yet.
  return comparePositions(position, known) > 0 ? (lastEvent ?? known) : position;
}
