import { join } from 'node:path';
import type { ReadModels } from '@sluice/read-model';

/** The schema of the observer in PostgreSQL and the migrations that make it. */
export const observerSchema: Pick<ReadModels, 'schema' | 'migrations'> = {
  schema: 'observer',
  migrations: join(import.meta.dirname, 'migrations'),
};
