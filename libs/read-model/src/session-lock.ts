import type { ProjectionId } from './checkpoint.ts';
import type { Queryable } from './statement.ts';

/** Held by the connection of the active projector, for as long as it lives. */
export function projectorLock(schema: string, { projection, version }: ProjectionId): string {
  return `sluice/projector/${schema}/${projection}/${version}`;
}

/** Held by the connection of the one rebuild or comparison of a projection. */
export function rebuildLock(schema: string, { projection, version }: ProjectionId): string {
  return `sluice/rebuild/${schema}/${projection}/${version}`;
}

/** Held by a transaction that changes what tables a schema has. */
export function migrationLock(schema: string): string {
  return `sluice/migrate/${schema}`;
}

/** True when this session holds the lock now; it ends with the session. */
export async function tryLock(connection: Queryable, name: string): Promise<boolean> {
  const [row] = await connection.query<{ locked: boolean }>({
    text: 'SELECT pg_try_advisory_lock(hashtextextended($1, 0)) AS locked',
    values: [name],
  });
  return row?.locked ?? false;
}

/** Waits for the lock, which ends with the transaction. */
export async function lockUntilCommit(transaction: Queryable, name: string): Promise<void> {
  await transaction.query({
    text: 'SELECT pg_advisory_xact_lock(hashtextextended($1, 0))',
    values: [name],
  });
}
