import { serviceProgram } from '@sluice/boot/run-service';
import { connectBus } from '@sluice/bus';
import { installationSchema, openDatabase } from '@sluice/read-model';
import { loadNoteUsesConfig } from './config.ts';
import { createNoteUses } from './note-uses-service.ts';
import { keyReadModels } from './read-models.ts';

/** One statement at a time, and the watch of a database that turns read-only. */
const connectionsMax = 2;

/** Notes uses of keys in the process of the key service, or in that of the books. */
export const noteUsesProgram = serviceProgram({
  name: 'key uses',
  config: loadNoteUsesConfig,
  connect: async (config, { logger, lifecycle }) => {
    const bus = await connectBus({
      url: config.SLUICE_NATS_URL,
      token: config.SLUICE_NATS_TOKEN.reveal(),
      name: 'key uses',
      logger,
    });
    lifecycle.add({ name: 'bus', stop: () => bus.stop() });
    const database = openDatabase({
      url: config.SLUICE_POSTGRES_URL.reveal(),
      schema: keyReadModels.schema,
      installation: installationSchema,
      connectionsMax,
    });
    lifecycle.add({ name: 'read model', stop: () => database.stop() });
    return { bus, database };
  },
  create: (clients, { logger }) => createNoteUses({ ...clients, logger }),
});
