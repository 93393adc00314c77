import { derivedId } from '@sluice/clock-and-ids';
import {
  type AnyConfig,
  type DestinationType,
  destinationTypes,
  isDestinationType,
  maskConfig,
  mergeConfig,
} from '@sluice/destinations';
import type { TargetRules } from '@sluice/egress';
import { type KeyManagement, UnreadableEnvelope } from '@sluice/envelope';
import { Fault, invalidValue, requireAccepted } from '@sluice/errors';
import type { EventStore, Position } from '@sluice/es';
import type { Logger } from '@sluice/logging';
import type { Database } from '@sluice/read-model';
import type { ReceivedContext } from '@sluice/rpc';
import { openSecret, sealSecret } from '@sluice/sealed-secrets';
import type { ChangedConfig } from '../domain/destinations/commands.ts';
import { destinations } from '../domain/destinations/decide.ts';
import type { DestinationSettings } from '../domain/destinations/events.ts';
import { type Destination, initial } from '../domain/destinations/state.ts';
import { destinationEvents } from '../store/destination-events.ts';
import { destinationSecrets } from '../store/destination-secrets.ts';
import { workspaceEvents } from '../store/workspace-events.ts';
import type { Directory } from './directory.ts';
import { checkedConfig, parseConfig } from './check-config.ts';

export interface SealedConfigDependencies {
  readonly readModel: Database;
  readonly keyManagement: KeyManagement;
  readonly logger: Pick<Logger, 'error'>;
}

export interface DestinationCommandDependencies extends SealedConfigDependencies {
  readonly eventStore: EventStore;
  readonly directory: Pick<Directory, 'workspacesOfKeys'>;
  /** Decides which URLs a destination may have. */
  readonly targets: TargetRules;
}

export interface WantedDestination {
  readonly type: string;
  readonly workspaceId: string;
  /** JSON, with its secrets. */
  readonly config: string;
  readonly settings: DestinationSettings;
}

export interface WantedChanges {
  readonly destinationId: string;
  readonly changes: Partial<DestinationSettings>;
  /** JSON, merged into the config key by key. If undefined, the config stays. */
  readonly config: string | undefined;
}

export interface ChangedDestination {
  readonly destination: Destination;
  readonly position: Position | undefined;
  readonly isChanged: boolean;
}

/** The commands on destinations. All throw invalid_request, not_found and conflict. */
export function destinationCommands(dependencies: DestinationCommandDependencies) {
  const { eventStore, targets, directory } = dependencies;
  const handle = destinationEvents.handler(eventStore);
  const seal = sealer(dependencies);
  return {
    async create(wanted: WantedDestination, context: ReceivedContext): Promise<ChangedDestination> {
      const { accountId, commandId, occurredAt } = context;
      const { workspaceId, settings } = wanted;
      const type = knownType(wanted.type);
      const config = checkedConfig(type, parseConfig(wanted.config), targets);
      const destinationId = derivedId('destination', accountId, commandId);
      const place = { accountId, destinationId, secretId: secretIdOf(context) };
      const sealed = { secretId: place.secretId, config: shownConfig(type, config) };
      const command = {
        type: 'CreateDestination',
        destinationId,
        accountId,
        workspaceId,
        destinationType: type,
        sealed,
        settings,
        occurredAt,
      } as const;
      // Values that would be refused are refused before anything is stored.
      requireAccepted(destinations.decide(command, initial));
      const { handledBefore } = await destinationEvents.load(eventStore, accountId, commandId);
      if (!handledBefore) {
        await assertKeysOf(directory, { accountId, workspaceId }, settings.apiKeyHashes);
        await seal(place, config);
      }
      const handled = requireAccepted(await handle(accountId, command, context));
      await assertWorkspaceAlive(eventStore, workspaceId);
      return changed(handled, destinationId);
    },
    async change(wanted: WantedChanges, context: ReceivedContext): Promise<ChangedDestination> {
      const { accountId, commandId, occurredAt } = context;
      const { destinationId, changes } = wanted;
      const { state, handledBefore } = await destinationEvents.load(
        eventStore,
        accountId,
        commandId,
      );
      const destination = state.get(destinationId);
      if (!destination) throw new Fault('not_found');
      const merged =
        wanted.config === undefined || handledBefore
          ? undefined
          : await mergedConfig(dependencies, destination, parseConfig(wanted.config));
      const sealed: ChangedConfig | undefined = merged && {
        secretId: secretIdOf(context),
        replacedSecretId: destination.secretId,
        config: shownConfig(merged.type, merged.config),
      };
      const of = { type: 'ChangeDestination', destinationId, changes, sealed } as const;
      const command = { ...of, occurredAt };
      if (!handledBefore) {
        requireAccepted(destinations.decide(command, state));
        await assertKeysOf(directory, destination, changes.apiKeyHashes);
      }
      if (merged && sealed)
        await seal({ accountId, destinationId, secretId: sealed.secretId }, merged.config);
      return changed(requireAccepted(await handle(accountId, command, context)), destinationId);
    },
    async remove(destinationId: string, context: ReceivedContext): Promise<Position | undefined> {
      const { accountId, occurredAt } = context;
      const command = { type: 'DeleteDestination', destinationId, occurredAt } as const;
      return requireAccepted(await handle(accountId, command, context)).position;
    },
  };
}

interface ConfigPlace {
  readonly accountId: string;
  readonly destinationId: string;
  readonly secretId: string;
}

/** Seals before the append, so that the log names only stored configs. The next start erases unused ones. */
function sealer({ readModel: database, keyManagement }: DestinationCommandDependencies) {
  const sealing = { database, keyManagement, secrets: destinationSecrets };
  return async ({ destinationId: recordId, ...place }: ConfigPlace, config: AnyConfig) =>
    sealSecret(sealing, { ...place, recordId }, JSON.stringify(config));
}

/**
 * Opens a sealed config. Throws not_found for one that is erased, and credential_unavailable for one that cannot be
 * opened. No message contains any of it.
 */
export async function openConfig(
  { readModel, keyManagement, logger }: SealedConfigDependencies,
  { accountId, destinationId: recordId, secretId }: ConfigPlace,
): Promise<string> {
  const sealing = { database: readModel, keyManagement, secrets: destinationSecrets };
  const opened = await openSecret(sealing, { accountId, secretId, recordId }).catch(
    (cause: unknown) => {
      if (!(cause instanceof UnreadableEnvelope)) throw cause;
      logger.error(`the config of the destination ${recordId} cannot be opened`, { error: cause });
      throw new Fault('credential_unavailable', { cause });
    },
  );
  if (opened === undefined) throw new Fault('not_found');
  return opened;
}

/** Returns undefined if the change leaves the config as it is. */
async function mergedConfig(
  dependencies: DestinationCommandDependencies,
  destination: Destination,
  change: AnyConfig,
): Promise<{ readonly type: DestinationType; readonly config: AnyConfig } | undefined> {
  const type = knownType(destination.destinationType);
  const before = parseConfig(await openConfig(dependencies, destination));
  const config = checkedConfig(type, mergeConfig(type, before, change), dependencies.targets);
  return isSame(before, config) ? undefined : { type, config };
}

function isSame(one: AnyConfig, other: AnyConfig): boolean {
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...names].every((name) => JSON.stringify(one[name]) === JSON.stringify(other[name]));
}

function shownConfig(type: DestinationType, config: AnyConfig): string {
  return JSON.stringify(maskConfig(type, config));
}

function knownType(type: string): DestinationType {
  if (isDestinationType(type)) return type;
  throw invalidValue('type', `must be one of ${destinationTypes.join(', ')}`);
}

function secretIdOf({ accountId, commandId }: ReceivedContext): string {
  return derivedId('destination secret', accountId, commandId);
}

function changed(
  handled: {
    readonly state: ReadonlyMap<string, Destination>;
    readonly position: Position | undefined;
    readonly events: readonly unknown[];
  },
  destinationId: string,
): ChangedDestination {
  const destination = handled.state.get(destinationId);
  // Sent again after it was deleted.
  if (!destination) throw new Fault('not_found');
  return { destination, position: handled.position, isChanged: handled.events.length > 0 };
}

/** Throws invalid_request for a hash that no API key of the workspace has: nothing would ever be sent for it. */
async function assertKeysOf(
  directory: DestinationCommandDependencies['directory'],
  { accountId, workspaceId }: Pick<Destination, 'accountId' | 'workspaceId'>,
  hashes: readonly string[] | null | undefined,
): Promise<void> {
  if (!hashes || hashes.length === 0) return;
  const known = await directory.workspacesOfKeys(accountId, [...new Set(hashes)]);
  if (hashes.every((hash) => known.get(hash) === workspaceId)) return;
  throw invalidValue('api_key_hashes', 'names a key that is not in the workspace');
}

/** Asks the log: a reaction disables the destination of a workspace that was deleted meanwhile. */
async function assertWorkspaceAlive(eventStore: EventStore, workspaceId: string): Promise<void> {
  const { state } = await workspaceEvents.load(eventStore, workspaceId);
  if (state.kind !== 'created') throw invalidValue('workspace_id', 'there is no such workspace');
}
