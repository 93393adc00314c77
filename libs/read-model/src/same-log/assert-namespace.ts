import type { EventStore } from '@sluice/es';
import type { Database } from '../database.ts';
import { claimNamespace } from './known-log.ts';

/** The event store is asked for the streams of another namespace than the read models were made from. */
export class AnotherNamespace extends Error {
  override readonly name = 'AnotherNamespace';
}

/**
 * Throws AnotherNamespace, which names the setting, unless the read models were made in the namespace of the store
 * or begin with it: without this, an installation would find none of its events and begin anew.
 */
export async function assertNamespace(
  database: Database,
  { namespace }: Pick<EventStore, 'namespace'>,
): Promise<void> {
  const known = await claimNamespace(database, namespace);
  if (known === namespace) return;
  const text = anotherNamespaceText(database.schema, { known, given: namespace });
  throw new AnotherNamespace(`${text}.`);
}

export function anotherNamespaceText(
  schema: string,
  namespaces: { readonly known: string; readonly given: string },
): string {
  const { known } = namespaces;
  const [given, made] = [namespaces.given, known].map((one) =>
    one === '' ? 'no namespace' : `"${one}"`,
  );
  return (
    `The read models of ${schema} were made from streams with ${made}, and ` +
    `SLUICE_EVENTSTORE_NAMESPACE asks for ${given}: set SLUICE_EVENTSTORE_NAMESPACE=${known}` +
    (known === '' ? ' (empty)' : '')
  );
}
