import { join } from 'node:path';
import type { ReadModels } from '@sluice/read-model';

/** The schema of analytics in PostgreSQL and the migrations that make it. */
export const analyticsSchema: Pick<ReadModels, 'schema' | 'migrations'> = {
  schema: 'analytics',
  migrations: join(import.meta.dirname, 'migrations'),
};
