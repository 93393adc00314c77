import type { DestinationCreated, DestinationEvent } from './events.ts';

/** The destinations of one account, by id; a deleted one is not there. */
export type Destinations = ReadonlyMap<string, Destination>;

export interface Destination extends DestinationCreatedData {
  readonly updatedAt: string;
}
type DestinationCreatedData = DestinationCreated['data'];

export const initial: Destinations = new Map();

export function evolve(destinations: Destinations, event: DestinationEvent): Destinations {
  switch (event.type) {
    case 'DestinationCreated': {
      const { data } = event;
      const created = { ...data, updatedAt: data.createdAt };
      return new Map([...destinations, [data.destinationId, created]]);
    }
    case 'DestinationUpdated': {
      const { destinationId, settings, changedAt: updatedAt } = event.data;
      return changed(destinations, destinationId, { settings, updatedAt });
    }
    case 'DestinationConfigured': {
      const { destinationId, secretId, config, changedAt: updatedAt } = event.data;
      return changed(destinations, destinationId, { secretId, config, updatedAt });
    }
    case 'DestinationDeleted': {
      const { destinationId } = event.data;
      return new Map([...destinations].filter(([id]) => id !== destinationId));
    }
  }
}

function changed(
  destinations: Destinations,
  destinationId: string,
  changes: Partial<Destination>,
): Destinations {
  const destination = destinations.get(destinationId);
  if (!destination) return destinations;
  return new Map([...destinations, [destinationId, { ...destination, ...changes }]]);
}
