import type { DestinationSettings } from './events.ts';

export type DestinationCommand =
  | CreateDestination
  | ChangeDestination
  | DeleteDestination
  | DisableDestinationsOfWorkspace;

/** The place of a sealed config, and the JSON of what may be shown of it. */
export interface SealedConfig {
  readonly secretId: string;
  readonly config: string;
}

/** Settings as they were asked for. The workspace, the type and the config are checked. */
export interface CreateDestination {
  readonly type: 'CreateDestination';
  readonly destinationId: string;
  readonly accountId: string;
  readonly workspaceId: string;
  readonly destinationType: string;
  readonly sealed: SealedConfig;
  readonly settings: DestinationSettings;
  /** ISO 8601, UTC, milliseconds. */
  readonly occurredAt: string;
}

/** An absent setting stays as it is. */
export interface ChangeDestination {
  readonly type: 'ChangeDestination';
  readonly destinationId: string;
  readonly changes: Partial<DestinationSettings>;
  /** If undefined, the config stays. */
  readonly sealed: ChangedConfig | undefined;
  readonly occurredAt: string;
}

export interface ChangedConfig extends SealedConfig {
  /** The config that the change was merged into. */
  readonly replacedSecretId: string;
}

export interface DeleteDestination {
  readonly type: 'DeleteDestination';
  readonly destinationId: string;
  readonly occurredAt: string;
}

/** The workspace is gone. */
export interface DisableDestinationsOfWorkspace {
  readonly type: 'DisableDestinationsOfWorkspace';
  readonly workspaceId: string;
  readonly occurredAt: string;
}
