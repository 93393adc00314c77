import { accountNotice, type Bus, reactionNotice, subjects } from '@sluice/bus';
import type { Position } from '@sluice/es';
import { PrivateEndpointsChanged } from '@sluice/protos/sluice/account/v1/private_endpoint_events';
import { eachAtOnce, type Projection, requireHeld } from '@sluice/read-model';
import { effectOnRequests } from '../domain/private-endpoints/effect-on-requests.ts';
import { privateEndpointsEvents } from '../store/private-endpoints-events.ts';

const atOnceMax = 16;

/** Notifies the processes that cache private endpoints. `isRevoked`: one of them was disabled or deleted. */
export const publishEndpointChange = accountNotice(
  PrivateEndpointsChanged,
  subjects.endpointsChanged,
);

export interface EndpointChangesDependencies {
  readonly bus: Pick<Bus, 'publishNotice'>;
  /** Resolves with false when the read model does not hold the position in time. */
  readonly projected: (position: Position) => Promise<boolean>;
}

/**
 * Publishes each change that requests can see once the read model shows it, also when the process that made the change
 * died before it could. Throws while the bus is away.
 */
export function publishEndpointChanges({
  bus,
  projected,
}: EndpointChangesDependencies): Projection {
  return {
    projection: 'account.publish_endpoint_changes',
    version: 1,
    streamPrefixes: [privateEndpointsEvents.streamPrefix],
    tables: [],
    async apply(_transaction, events) {
      await requireHeld(projected, events);
      const changes = new Map<string, PrivateEndpointsChanged>();
      for (const event of events.map((recorded) => privateEndpointsEvents.decode(recorded))) {
        const effect = effectOnRequests(event.type);
        if (effect === 'none') continue;
        const { accountId } = event.data;
        const isRevoked = effect === 'revokes' || changes.get(accountId)?.isRevoked === true;
        changes.set(accountId, { accountId, isRevoked });
      }
      await eachAtOnce(changes.values(), atOnceMax, (change) =>
        publishEndpointChange(bus, change, reactionNotice),
      );
    },
  };
}
