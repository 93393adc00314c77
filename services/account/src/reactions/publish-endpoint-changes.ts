import { type Bus, type PublishNoticeOptions, subjects } from '@sluice/bus';
import type { Position } from '@sluice/es';
import { PrivateEndpointsChanged } from '@sluice/protos/sluice/account/v1/private_endpoint_events';
import { eachAtOnce, type Projection, requireHeld } from '@sluice/read-model';
import { effectOnRequests } from '../domain/private-endpoints/effect-on-requests.ts';
import { privateEndpointsEvents } from '../store/private-endpoints-events.ts';

/** A batch is applied again when its notices are not stored after this time. */
const storedMsMax = 5_000;
const atOnceMax = 16;

/** A notice to the processes that cache the private endpoints of an account. */
export interface EndpointChange {
  readonly accountId: string;
  /** One of them was disabled or deleted. */
  readonly isRevoked: boolean;
}

export interface EndpointChangesDependencies {
  readonly bus: Pick<Bus, 'publishNotice'>;
  /** Resolves with false when the read model does not hold the position in time. */
  readonly projected: (position: Position) => Promise<boolean>;
}

/** Resolves when the notice is stored. Throws bus_unavailable. */
export async function publishEndpointChange(
  bus: Pick<Bus, 'publishNotice'>,
  change: EndpointChange,
  options?: PublishNoticeOptions,
): Promise<void> {
  const message = PrivateEndpointsChanged.toJSON(change) as object;
  await bus.publishNotice(subjects.endpointsChanged(change.accountId), message, options);
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
      const changes = new Map<string, EndpointChange>();
      for (const event of events.map((recorded) => privateEndpointsEvents.decode(recorded))) {
        const effect = effectOnRequests(event.type);
        if (effect === 'none') continue;
        const { accountId } = event.data;
        const isRevoked = effect === 'revokes' || changes.get(accountId)?.isRevoked === true;
        changes.set(accountId, { accountId, isRevoked });
      }
      await eachAtOnce(changes.values(), atOnceMax, (change) =>
        publishEndpointChange(bus, change, { timeoutMs: storedMsMax }),
      );
    },
  };
}
