import { type Bus, usageStream } from '@sluice/bus';
import type { EventStore } from '@sluice/es';
import {
  type Database,
  migrate,
  type Projection,
  type Projector,
  startProjector,
} from '@sluice/read-model';
import type { RpcService } from '@sluice/rpc';
import type { Clock, Logger, Service } from '@sluice/service';
import type { Telemetry } from '@sluice/telemetry';
import type { Directory } from './commands/directory.ts';
import type { Peppers } from './commands/key-digest.ts';
import { apiKeysProjection } from './projections/api-keys.ts';
import { publishKeyChange, publishKeyChanges } from './reactions/publish-key-changes.ts';
import { noteUses } from './reactions/note-key-uses.ts';
import { publishKeyDeletions } from './reactions/publish-key-deletions.ts';
import { publishKeyLimits } from './reactions/publish-key-limits.ts';
import { keyReadModels } from './read-models.ts';
import { keyRpc } from './rpc/key-service.ts';

export { type DirectoryClients, rpcDirectory } from './clients/directory.ts';
export type { Directory, Peppers };

export interface KeyDependencies {
  readonly eventStore: EventStore;
  /** Of the schema `key`; the caller closes it after `stop`. */
  readonly database: Database;
  readonly bus: Bus;
  readonly directory: Directory;
  readonly peppers: Peppers;
  /** Cryptographically random: secrets are made of it. */
  readonly randomBytes: (size: number) => Uint8Array;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly telemetry: Pick<Telemetry, 'metrics' | 'observe'>;
}

export interface KeyService extends Service {
  readonly rpc: readonly RpcService[];
}

/** API keys: commands, their read model, resolving a secret, and telling others of changes. */
export function createService(dependencies: KeyDependencies): KeyService {
  const { eventStore, database, bus, logger, telemetry } = dependencies;
  const running: Projector[] = [];
  const stopping = new AbortController();
  const consuming: Promise<void>[] = [];
  const project = (projection: Projection) =>
    running.push(startProjector({ eventStore, database, projection, logger, telemetry }));
  return {
    name: 'key',
    rpc: [
      keyRpc({
        ...dependencies,
        readModel: database,
        publishChange: ({ hash, accountId }) => publishKeyChange(bus, { hash, accountId }),
        projected: async (position, timeoutMs) =>
          (await running[0]?.waitFor(position, timeoutMs)) ?? false,
      }),
    ],
    async start() {
      await migrate(database, keyReadModels.migrations);
      project(apiKeysProjection);
      project(publishKeyChanges(bus, eventStore));
      project(publishKeyLimits(bus, eventStore));
      project(publishKeyDeletions(bus, eventStore));
      await bus.ensureStream(usageStream);
      consuming.push(noteUses({ bus, database }, stopping.signal));
    },
    async stop() {
      stopping.abort();
      await Promise.all(consuming);
      await Promise.all(running.map((projector) => projector.stop()));
    },
    unreadiness: () =>
      running.length === 0
        ? ['key has not started']
        : running.flatMap((projector) => projector.unreadiness()),
  };
}
