import type { Service } from '@sluice/boot';
import { type Bus, usageStream } from '@sluice/bus';
import type { Logger } from '@sluice/logging';
import { type Database, schemaOf } from '@sluice/read-model';
import { noteUses } from './reactions/note-key-uses.ts';
import { keyReadModels } from './read-models.ts';

export interface NoteUsesDependencies {
  readonly bus: Bus;
  /** The schema `key`. The caller closes it after `stop`. */
  readonly database: Database;
  readonly logger: Logger;
}

/** Makes the part of the key service that notes when keys were last used. It answers no calls and reads no events. */
export function createNoteUses({ bus, database: given, logger }: NoteUsesDependencies): Service {
  const { migrations } = keyReadModels;
  const schema = schemaOf({ database: given, migrations, logger });
  const { database } = schema;
  const stopping = new AbortController();
  let noting: Promise<void> | undefined;
  const begin = () => {
    noting = noteUses({ bus, database }, stopping.signal);
    noting.catch((error: unknown) => logger.error('noting uses of keys has ended', { error }));
  };
  return {
    name: 'key uses',
    async start() {
      await bus.ensureStream(usageStream);
      await schema.start(begin);
    },
    async stop() {
      stopping.abort();
      await schema.stop();
      await noting;
    },
    unreadiness: () => schema.unreadiness(),
    degradation: () => schema.degradation(),
  };
}
