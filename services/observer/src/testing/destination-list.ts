import { Fault } from '@sluice/errors';
import type {
  DestinationUseServiceService,
  UsableDestination,
} from '@sluice/protos/sluice/workspace/v1/destination_use';
import type { Calls } from '@sluice/rpc';

export type DestinationSettings = NonNullable<
  NonNullable<UsableDestination['destination']>['settings']
>;

/** A destination that a test or a bench sends to. */
export interface ListedDestination {
  readonly id: string;
  readonly accountId: string;
  readonly workspaceId: string;
  /** `webhook` if absent. */
  readonly type?: string | undefined;
  readonly config: Readonly<Record<string, unknown>>;
  readonly settings?: Partial<DestinationSettings> | undefined;
  readonly createdAt: string;
  /** `createdAt` if absent. */
  readonly usableSince?: string | undefined;
}

const settingsDefault: DestinationSettings = {
  enabled: true,
  privacyMode: false,
  samplingRate: 1,
  apiKeys: undefined,
  filterRules: undefined,
  name: undefined,
  broadcastGenerationCost: false,
  broadcastGenerationIdentity: false,
  broadcastGenerationRequestContext: false,
  regions: ['global'],
};

/** Answers as the workspace service does, for the destinations that there are at the time of the call. */
export function destinationCalls(
  listed: () => readonly ListedDestination[],
): Calls<typeof DestinationUseServiceService> {
  return {
    async listUsable({ accountId, afterDestinationId }) {
      const asked = listed().filter((one) => accountId === '' || one.accountId === accountId);
      return { destinations: afterDestinationId === '' ? asked.map(usable) : [] };
    },
    async openConfig({ destinationId }) {
      const known = listed().find(({ id }) => id === destinationId);
      if (!known) throw new Fault('not_found');
      return { config: JSON.stringify(known.config) };
    },
  };
}

function usable(listed: ListedDestination): UsableDestination {
  const { id, accountId, workspaceId, type = 'webhook', settings, createdAt } = listed;
  return {
    destination: {
      destinationId: id,
      accountId,
      workspaceId,
      type,
      maskedConfig: '{}',
      settings: { ...settingsDefault, ...settings },
      createdAt,
      updatedAt: createdAt,
    },
    secretId: `secret-${id}`,
    isBroadcastEnabled: true,
    usableSince: listed.usableSince ?? createdAt,
  };
}
