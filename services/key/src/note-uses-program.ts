import { openBus, openReadModel } from '@sluice/boot/connections';
import { serviceProgram } from '@sluice/boot/run-service';
import { installationSchema } from '@sluice/read-model';
import { loadNoteUsesConfig } from './config.ts';
import { createNoteUses } from './note-uses-service.ts';
import { keyReadModels } from './read-models.ts';

/** One statement at a time, and the watch of a database that turns read-only. */
const connectionsMax = 2;

/** Notes uses of keys in the process of the key service, or in that of the books. */
export const noteUsesProgram = serviceProgram({
  name: 'key uses',
  config: loadNoteUsesConfig,
  connect: async (config, surroundings) => {
    const bus = await openBus('key uses', config, surroundings);
    const place = { schema: keyReadModels.schema, installation: installationSchema };
    const few = { ...config, SLUICE_POSTGRES_CONNECTIONS: connectionsMax };
    return { bus, database: openReadModel(place, few, surroundings) };
  },
  create: (clients, { logger }) => createNoteUses({ ...clients, logger }),
});
