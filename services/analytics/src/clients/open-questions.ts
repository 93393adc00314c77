import { type Database, openDatabase } from '@sluice/read-model';

/**
 * PostgreSQL expects several times as many groups as a month has. With its defaults it sorts all rows of the month on
 * the disk, or has one process add them up.
 */
const sessionSettings = { work_mem: '16MB', parallel_tuple_cost: '0.01' };

/** Opens connections of their own for questions, whose statements end in time. */
export function openQuestions(settings: {
  readonly url: string;
  readonly connectionsMax: number;
  readonly statementTimeoutMs: number;
}): Database {
  return openDatabase({ ...settings, schema: 'analytics', sessionSettings });
}
