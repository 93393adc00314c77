import { setTimeout as delay } from 'node:timers/promises';
import { type Bus, directoryStream, usageStream } from '@sluice/bus';
import type { KeyManagement } from '@sluice/envelope';
import type { EventStore, Position } from '@sluice/es';
import {
  assertNamespace,
  type Database,
  type Projection,
  type Projector,
  type Schema,
  schemaOf,
  startProjector,
  untilShown,
  watchedEventStore,
  type WatchedEventStore,
} from '@sluice/read-model';
import type { RpcService } from '@sluice/rpc';
import type { Service } from '@sluice/boot';
import type { Clock } from '@sluice/clock-and-ids';
import type { Logger } from '@sluice/logging';
import type { Telemetry } from '@sluice/telemetry';
import { assertEnvelopeKeys } from './commands/byok/check-envelope-keys.ts';
import { assertPeppers } from './commands/check-peppers.ts';
import { eraseUnusedSecrets, rewrapSecrets } from './commands/byok/look-after-secrets.ts';
import type { Directory } from './commands/directory.ts';
import type { KeyChange } from './commands/key-change.ts';
import type { Peppers } from './commands/key-digest.ts';
import {
  type DirectoryConsequences,
  directoryConsequences,
} from './commands/directory-consequences.ts';
import { apiKeysProjection } from './projections/api-keys.ts';
import { byokCredentialsProjection } from './projections/byok-credentials.ts';
import { keyStatesProjection } from './projections/key-states.ts';
import { eraseByokSecrets } from './reactions/erase-byok-secrets.ts';
import { followDirectory } from './reactions/follow-directory.ts';
import {
  publishCredentialChange,
  publishCredentialChanges,
} from './reactions/publish-credential-changes.ts';
import { publishHistory } from './reactions/publish-history.ts';
import {
  publishedChange,
  publishKeyChange,
  publishKeyChanges,
} from './reactions/publish-key-changes.ts';
import { noteUses } from './reactions/note-key-uses.ts';
import { publishKeyDeletions } from './reactions/publish-key-deletions.ts';
import { publishKeyNames } from './reactions/publish-key-names.ts';
import { publishKeyLimits } from './reactions/publish-key-limits.ts';
import { verifyNewCredentials } from './reactions/verify-new-credentials.ts';
import { verifyNewKeys } from './reactions/verify-new-keys.ts';
import { keyReadModels } from './read-models.ts';
import { closings } from './store/closings.ts';
import { issueAttempts } from './store/issue-attempts.ts';
import { byokRpc } from './rpc/byok-service.ts';
import { byokUseRpc } from './rpc/byok-use-service.ts';
import { keyRpc } from './rpc/key-service.ts';
import { apiKeyHandler } from './store/api-key-handler.ts';
import { byokHandler, loadByok } from './store/byok-handler.ts';

export { type DirectoryClients, rpcDirectory } from './clients/directory.ts';
export { openKeyManagement } from './config.ts';
export type { Directory, Peppers };

export interface KeyDependencies {
  readonly eventStore: EventStore;
  /** Uses the schema `key`. The caller closes it after `stop`. */
  readonly database: Database;
  readonly bus: Bus;
  readonly directory: Directory;
  readonly peppers: Peppers;
  /** Seals the provider credentials of customers. */
  readonly keyManagement: KeyManagement;
  /** Cryptographically random: secrets are made of it. */
  readonly randomBytes: (size: number) => Uint8Array;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly telemetry: Pick<Telemetry, 'metrics' | 'observe'>;
}

export interface KeyService extends Service {
  readonly rpc: readonly RpcService[];
}

const verifiedTimeoutMs = 5_000;

/** API keys and provider credentials: commands, read models, resolving a secret, and telling others. */
export function createService(given: KeyDependencies): KeyService {
  const schema = schemaFor(given);
  const opened = { ...given, database: schema.database };
  const log = watchedEventStore(opened);
  const dependencies = { ...opened, eventStore: log };
  const { eventStore, database, bus, logger, telemetry } = dependencies;
  const projectors = new Map<Projection, Projector>();
  const stopping = new AbortController();
  const running: Promise<unknown>[] = [];
  const projected: Projected = async (projection, position, timeoutMs) =>
    (await projectors.get(projection)?.waitFor(position, timeoutMs)) ?? false;
  const begin = () => {
    const consequences = consequencesOf(dependencies);
    for (const projection of projectionsOf(dependencies, consequences, projected)) {
      const options = { eventStore, database, projection, logger, telemetry };
      projectors.set(projection, startProjector(options));
    }
    running.push(noteUses({ bus, database }, stopping.signal));
    running.push(followDirectory({ bus, consequences, logger }, stopping.signal));
    running.push(lookAfterSecrets(dependencies));
    running.push(eraseKeptSecrets(dependencies, stopping.signal));
  };
  return {
    name: 'key',
    rpc: rpcOf(
      dependencies,
      projected,
      () => projectors.get(keyStatesProjection)?.isComplete() ?? false,
    ),
    async start() {
      for (const stream of [usageStream, directoryStream]) await bus.ensureStream(stream);
      log.start();
      await schema.start(begin);
    },
    async stop() {
      stopping.abort();
      await schema.stop();
      await Promise.all(running);
      await Promise.all([...projectors.values()].map((projector) => projector.stop()));
      await log.stop();
    },
    unreadiness: () => [
      ...schema.unreadiness(),
      ...[...projectors.values()].flatMap((one) => one.unreadiness()),
    ],
    degradation: () => [
      ...schema.degradation(),
      ...log.degradation(),
      ...[...projectors.values()].flatMap((one) => one.degradation()),
    ],
  };
}

/** Waits until a projection holds a position; false: not in time. */
type Projected = (
  projection: Projection,
  position: Position | undefined,
  timeoutMs: number,
) => Promise<boolean>;

interface WatchedDependencies extends KeyDependencies {
  readonly eventStore: WatchedEventStore;
}

function rpcOf(
  dependencies: WatchedDependencies,
  projected: Projected,
  isComplete: () => boolean,
): readonly RpcService[] {
  const { eventStore, database, bus } = dependencies;
  return [
    keyRpc({
      ...dependencies,
      readModel: database,
      attempts: issueAttempts(database),
      closings: closings(database),
      isComplete,
      publishChange: tellChange(dependencies),
      async projected(position, timeoutMs) {
        const both = [apiKeysProjection, keyStatesProjection];
        const held = both.map((one) => projected(one, position, timeoutMs));
        return (await Promise.all(held)).every((isHeld) => isHeld);
      },
    }),
    byokRpc({
      ...dependencies,
      handle: byokHandler(eventStore),
      load: (accountId, commandId) => loadByok(eventStore, accountId, commandId),
      publishChange: (change) => beside(publishCredentialChange(bus, change)),
      async settled(position) {
        const both = [byokCredentialsProjection, eraseByokSecrets];
        await Promise.all(
          both.map((one) => untilShown((held, ms) => projected(one, held, ms), position)),
        );
      },
    }),
    byokUseRpc(dependencies),
  ];
}

/** The read models, and the reactions that tell others. */
function projectionsOf(
  dependencies: KeyDependencies,
  consequences: DirectoryConsequences,
  projected: Projected,
): readonly Projection[] {
  const { bus, eventStore } = dependencies;
  return [
    apiKeysProjection,
    keyStatesProjection,
    byokCredentialsProjection,
    eraseByokSecrets,
    publishCredentialChanges({
      bus,
      projected: (position) => projected(byokCredentialsProjection, position, verifiedTimeoutMs),
    }),
    publishHistory(bus),
    publishKeyChanges(bus, eventStore),
    publishKeyLimits(bus, eventStore),
    publishKeyDeletions(bus, eventStore),
    publishKeyNames(bus, eventStore),
    verifyNewCredentials({ ...dependencies, consequences }),
    verifyNewKeys({
      ...dependencies,
      consequences,
      projected: (position) => projected(apiKeysProjection, position, verifiedTimeoutMs),
    }),
  ];
}

function consequencesOf(dependencies: WatchedDependencies): DirectoryConsequences {
  const { eventStore, database } = dependencies;
  return directoryConsequences({
    readModel: database,
    handleKey: apiKeyHandler(eventStore),
    handleByok: byokHandler(eventStore),
    publishChange: tellChange(dependencies),
  });
}

/** Publishes a change while its command is answered, with the revision that notices carry. */
function tellChange({
  bus,
  eventStore,
}: Pick<WatchedDependencies, 'bus' | 'eventStore'>): (change: KeyChange) => void {
  return (change) => beside(publishKeyChange(bus, publishedChange(change, eventStore.history())));
}

const keptSecretsSweepMs = 30_000;

/** Erases the secrets whose answers were never delivered, soon after their 10 minutes. */
async function eraseKeptSecrets(
  { database, logger }: KeyDependencies,
  signal: AbortSignal,
): Promise<void> {
  const attempts = issueAttempts(database);
  while (!signal.aborted) {
    await attempts.eraseOldSecrets().catch((error: unknown) => {
      logger.warn('kept secrets were not erased', { error });
    });
    await delay(keptSecretsSweepMs, undefined, { signal }).catch(() => undefined);
  }
}

/** Runs once at each start. The next start repeats a failed one: the sealed secrets are intact. */
async function lookAfterSecrets(dependencies: KeyDependencies): Promise<void> {
  try {
    await rewrapSecrets(dependencies);
    await eraseUnusedSecrets(dependencies);
  } catch (error) {
    dependencies.logger.warn('sealed secrets were not looked after', { error });
  }
}

function schemaFor(given: KeyDependencies): Schema {
  return schemaOf({
    ...given,
    migrations: keyReadModels.migrations,
    async check() {
      await assertNamespace(given.database, given.eventStore);
      await assertEnvelopeKeys(given);
      await assertPeppers(given.database, given.peppers);
    },
  });
}

/** Sends a notice beside the answer to its command. The reaction sends it as well, once PostgreSQL is there. */
function beside(published: Promise<void>): void {
  published.catch(() => {});
}
