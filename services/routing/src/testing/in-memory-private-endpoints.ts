import { Fault } from '@sluice/errors';
import type { ActiveEndpoint } from '@sluice/protos/sluice/account/v1/private_endpoint';
import type { PrivateEndpointCalls } from '../private-endpoints/private-endpoints.ts';

/** The active private endpoints of the account service, by their accounts. */
export interface InMemoryPrivateEndpoints extends PrivateEndpointCalls {
  isUp: boolean;
  readonly kept: Map<string, ActiveEndpoint[]>;
  /** The accounts that were asked for. */
  readonly asked: string[];
  /** Changes are listed, also without a notice. */
  changed(accountId: string, isRevoked: boolean): void;
  /** Complete questions about changes. */
  changesAsked: number;
}

export function inMemoryPrivateEndpoints(): InMemoryPrivateEndpoints {
  let revision = 7n;
  const changes = new Map<string, { revision: bigint; revokedRevision: bigint }>();
  const endpoints: InMemoryPrivateEndpoints = {
    isUp: true,
    kept: new Map(),
    asked: [],
    changesAsked: 0,
    changed(accountId, isRevoked) {
      revision += 1n;
      const revokedRevision = isRevoked ? revision : changes.get(accountId)?.revokedRevision;
      changes.set(accountId, { revision, revokedRevision: revokedRevision ?? 0n });
    },
    async listActiveEndpoints({ accountId }) {
      endpoints.asked.push(accountId);
      if (!endpoints.isUp) throw new Fault('unavailable');
      return { endpoints: [...(endpoints.kept.get(accountId) ?? [])] };
    },
    async listEndpointChanges({ after }) {
      if (!endpoints.isUp) throw new Fault('unavailable');
      endpoints.changesAsked += 1;
      const listed = [...changes].flatMap(([accountId, change]) =>
        after !== undefined && change.revision > after
          ? [{ accountId, isRevoked: change.revokedRevision > after }]
          : [],
      );
      return { revision, changes: listed, isEnd: true };
    },
  };
  return endpoints;
}
