import type { EventStore } from '@sluice/es';
import type { Database } from '../database.ts';
import { withoutTable } from '../failure.ts';
import { withDatabase } from '../with-database.ts';
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

/**
 * Compares the log with what the read models of a schema know of it, and changes nothing. Throws the Fault of what
 * is away.
 */
export async function examineLog(
  url: string,
  schema: string,
  store: Looks & Pick<EventStore, 'namespace'>,
): Promise<LogStanding> {
  const { known, namespace } = await withDatabase({ url, schema }, async (database) => {
    const log = await withoutTable(knownLogOf(database), undefined);
    return { known: log, namespace: log && (await knownNamespace(database)) };
  });
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

async function knownLogOf(database: Database): Promise<KnownLog> {
  const isShared = await hasKnownEvents(database, installationSchema);
  return await loadKnownLog(database, isShared ? installationSchema : undefined);
}
