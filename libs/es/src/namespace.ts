import type { EventMark, EventStore, RecordedEvent, SubscriptionMessage } from './event-store.ts';
import { metastreamOf, streamOfMetastream } from './gone-stream.ts';

/** The namespace of an installation that sets none. */
export const defaultNamespace = 'sluice';

/** Empty, or a letter and up to 31 letters, digits and `_`: other characters have a meaning in stream names. */
export const namespacePattern = /^([A-Za-z][A-Za-z0-9_]{0,31})?$/;

/**
 * The name of a stream as it is on disk: `sluice.apiKey-<hash>`. The event store finds the metadata of a stream by that
 * name, in `$$sluice.apiKey-<hash>`.
 */
export function streamOnDisk(namespace: string, stream: string): string {
  if (namespace === '') return stream;
  const described = streamOfMetastream(stream);
  return described === undefined
    ? `${namespace}.${stream}`
    : metastreamOf(`${namespace}.${described}`);
}

/**
 * Keeps the streams of an installation apart from all others in the same store: names carry the namespace on
 * disk, and lose it on the way in. Throws for a namespace that is none.
 */
export function inNamespace<Store extends EventStore>(store: Store, namespace: string): Store {
  if (!namespacePattern.test(namespace)) throw new Error(`"${namespace}" is not a namespace`);
  if (namespace === '') return store;
  const onDisk = (stream: string) => streamOnDisk(namespace, stream);
  const prefix = onDisk('');
  const metastreamPrefix = metastreamOf(prefix);
  const nameWithin = (stream: string) => {
    if (stream.startsWith(metastreamPrefix))
      return metastreamOf(stream.slice(metastreamPrefix.length));
    return stream.startsWith(prefix) ? stream.slice(prefix.length) : stream;
  };
  const within = <Named extends { readonly stream: string }>(named: Named): Named => ({
    ...named,
    stream: nameWithin(named.stream),
  });
  const markWithin = (mark: EventMark | undefined) => mark && within(mark);
  return {
    ...store,
    namespace,
    append: (stream, ...rest) => store.append(onDisk(stream), ...rest),
    async *read(stream, ...rest) {
      for await (const event of store.read(onDisk(stream), ...rest)) yield within(event);
    },
    end: async () => markWithin(await store.end()),
    eventAt: async (position) => markWithin(await store.eventAt(position)),
    async *subscribe(options) {
      const streamPrefixes = options.streamPrefixes.map(onDisk);
      for await (const batch of store.subscribe({ ...options, streamPrefixes }))
        yield batch.map((message) => messageWithin(message, within));
    },
  };
}

function messageWithin(
  message: SubscriptionMessage,
  within: (event: RecordedEvent) => RecordedEvent,
): SubscriptionMessage {
  return message.kind === 'event' ? { kind: 'event', event: within(message.event) } : message;
}
