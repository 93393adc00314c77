import { randomUUID } from 'node:crypto';
import {
  jsonEvent,
  KurrentDBClient,
  streamNameFilter,
  WrongExpectedVersionError,
} from '@kurrent/kurrentdb-client';

/**
 * The successor of the official client against a node, in a process of its own: both register the
 * same protobuf names. Prints one JSON line of what it saw. `KURRENTDB_URL`: the connection string.
 */
const client = KurrentDBClient.connectionString(process.env['KURRENTDB_URL'] ?? '');
const stream = `kurrent${randomUUID().replaceAll('-', '')}-1`;
const events = [1, 2, 3].map((n) => jsonEvent({ type: 'Counted', data: { n } }));

const appended = await client.appendToStream(stream, events, { streamState: 'no_stream' });
const conflict = await client
  .appendToStream(stream, jsonEvent({ type: 'Counted', data: {} }), { streamState: 'no_stream' })
  .then(
    () => 'accepted',
    (error: unknown) => (error instanceof WrongExpectedVersionError ? 'refused' : String(error)),
  );
const forwards = await numbersOf(client.readStream(stream, { direction: 'forwards' }));
const backwards = await numbersOf(
  client.readStream(stream, { direction: 'backwards', fromRevision: 'end', maxCount: 2 }),
);
const filter = streamNameFilter({ prefixes: [stream] });
const subscribed: unknown[] = [];
const subscription = client.subscribeToAll({ fromPosition: 'start', filter });
for await (const { event } of subscription) {
  if (event) subscribed.push(event.data);
  if (subscribed.length === events.length) break;
}
await subscription.unsubscribe();
await client.deleteStream(stream);
const deleted = await numbersOf(client.readStream(stream)).catch(
  (error: unknown) => (error as Error).constructor.name,
);
process.stdout.write(
  `${JSON.stringify({
    revision: String(appended.nextExpectedRevision),
    conflict,
    forwards,
    backwards,
    subscribed,
    deleted,
  })}\n`,
);
await client.dispose();
process.exit(0);

async function numbersOf(
  read: AsyncIterable<{ readonly event?: { readonly data: unknown } }>,
): Promise<readonly unknown[]> {
  const numbers: unknown[] = [];
  for await (const { event } of read) numbers.push((event?.data as { n?: number } | undefined)?.n);
  return numbers;
}
