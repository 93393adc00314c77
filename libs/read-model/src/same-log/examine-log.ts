import type { EventStore } from '@sluice/es';
import { type Database, openDatabase } from '../database.ts';
import { StatementFailed } from '../failure.ts';
import { anotherNamespaceText } from './assert-namespace.ts';
import { describeDivergence, divergenceText, lookFor, type Looks } from './divergence.ts';
import { hasKnownEvents, installationSchema } from './known-events.ts';
import { type KnownLog, knownNamespace, loadKnownLog } from './known-log.ts';

export type LogStanding =
  | { readonly kind: 'same' }
  /** The read models have not begun, or were made before logs had names. */
  | { readonly kind: 'nothing_known' }
  | { readonly kind: 'another_namespace'; readonly text: string }
  | { readonly kind: 'diverged'; readonly text: string };

const undefinedTable = '42P01';

/**
 * Compares the log with what the read models of a schema know of it, and changes nothing. Throws the Fault of what
 * is away.
 */
export async function examineLog(
  url: string,
  schema: string,
  store: Looks & Pick<EventStore, 'namespace'>,
): Promise<LogStanding> {
  const database = openDatabase({ url, schema, connectionsMax: 1 });
  let known: KnownLog | undefined;
  let namespace: string | undefined;
  try {
    known = await knownLogOf(database);
    namespace = known && (await knownNamespace(database));
  } finally {
    await database.stop();
  }
  if (namespace !== undefined && namespace !== store.namespace) {
    const namespaces = { known: namespace, given: store.namespace };
    return { kind: 'another_namespace', text: anotherNamespaceText(schema, namespaces) };
  }
  const newest = known?.newestApplied ?? known?.installation;
  if (!newest) return { kind: 'nothing_known' };
  if ((await lookFor(store, newest)) === 'same') return { kind: 'same' };
  const divergence = await describeDivergence(store, newest, known?.installation);
  return { kind: 'diverged', text: divergenceText(divergence) };
}

async function knownLogOf(database: Database): Promise<KnownLog | undefined> {
  try {
    const isShared = await hasKnownEvents(database, installationSchema);
    return await loadKnownLog(database, isShared ? installationSchema : undefined);
  } catch (error) {
    if (error instanceof StatementFailed && error.sqlState === undefinedTable) return undefined;
    throw error;
  }
}
