import { join } from 'node:path';
import type { ReadModels } from '@sluice/read-model';

/** The ledger's schema in PostgreSQL and the migrations that make it. */
export const ledgerSchema: Pick<ReadModels, 'schema' | 'migrations'> = {
  schema: 'ledger',
  migrations: join(import.meta.dirname, 'migrations'),
};
