import { deepEqual, equal, ok, rejects } from 'node:assert/strict';
import {
  AccessDeniedError,
  ANY,
  binaryEvent,
  MaxAppendSizeExceededError,
  NO_STREAM,
  STREAM_EXISTS,
  StreamDeletedError,
  WrongExpectedVersionError,
  type EventStoreDBClient,
} from '@eventstore/db-client';
import { describe, test } from 'vitest';
import { clientOf, embeddedNode, thing } from './testing/official-client.ts';

interface Way {
  readonly way: string;
  readonly own: boolean;
}

/** The client batches appends without credentials of their own, and sends others call by call. */
const ways: readonly Way[] = [
  { way: 'in batches', own: false },
  { way: 'one by one', own: true },
];

/** A node, its client, and what the client adds to an append. */
async function opened({ own }: Way) {
  const node = await embeddedNode();
  return { ...node, options: own ? { credentials: node.credentials } : {} };
}

async function thrown(promise: Promise<unknown>): Promise<unknown> {
  return await promise.then(
    () => undefined,
    (error: unknown) => error,
  );
}

describe.each(ways)('the official client, appending $way', (way) => {
  const open = () => opened(way);

  test('is told the revision and the position of the last event', async () => {
    const { client, options } = await open();
    const appended = await client.appendToStream('a-1', [thing(0), thing(1)], options);
    equal(appended.success, true);
    equal(appended.nextExpectedRevision, 1n);
    const events = await Array.fromAsync(client.readStream('a-1'));
    deepEqual(events.at(-1)?.event?.position, appended.position);
  });

  test('is told what it expected and where the stream is when it was wrong', async () => {
    const { client, options } = await open();
    await client.appendToStream('a-1', [thing(0), thing(1)], options);
    const wrong = async (
      stream: string,
      expectedRevision: 'no_stream' | 'stream_exists' | bigint,
    ) => await thrown(client.appendToStream(stream, thing(), { ...options, expectedRevision }));
    for (const [stream, expected, actual] of [
      ['a-1', NO_STREAM, 1n],
      ['a-1', 5n, 1n],
      ['b-1', 0n, 'no_stream'],
      ['b-1', STREAM_EXISTS, 'no_stream'],
    ] as const) {
      const error = await wrong(stream, expected);
      ok(error instanceof WrongExpectedVersionError, String(error));
      deepEqual([error.expectedVersion, error.actualVersion], [expected, actual]);
    }
  });

  test('appends the same events once, by ids as by revision', async () => {
    const { client, options } = await open();
    const events = [thing(0), thing(1)];
    const first = await client.appendToStream('a-1', events, { ...options, expectedRevision: ANY });
    for (const expectedRevision of [ANY, NO_STREAM, STREAM_EXISTS] as const) {
      const again = await client.appendToStream('a-1', events, { ...options, expectedRevision });
      deepEqual(again, first);
    }
    equal((await Array.fromAsync(client.readStream('a-1'))).length, 2);
  });

  test('may append nothing', async () => {
    const { client, options } = await open();
    const { success, position } = await client.appendToStream('a-1', [], options);
    ok(success && position !== undefined);
    deepEqual(await Array.fromAsync(client.readAll()), []);
  });

  test('is refused more than the limit, which it is told', async () => {
    const { client, options } = await open();
    const large = thing('x'.repeat(1_050_000));
    const error = await thrown(client.appendToStream('a-1', large, options));
    ok(error instanceof MaxAppendSizeExceededError, String(error));
    equal(error.maxAppendSize, 1_048_576);
    equal((await client.appendToStream('a-1', thing(), options)).success, true);
  });

  test('is refused a stream that was tombstoned', async () => {
    const { client, options } = await open();
    await client.tombstoneStream('a-1', options);
    const error = await thrown(client.appendToStream('a-1', thing(), options));
    ok(error instanceof StreamDeletedError, String(error));
    equal(error.streamName, 'a-1');
  });

  test('gets bytes back as they were', async () => {
    const { client, options } = await open();
    const bytes = Uint8Array.from([0, 255, 128, 7]);
    const event = binaryEvent({ type: 'Blob', data: bytes, metadata: bytes });
    await client.appendToStream('a-1', event, options);
    const [read] = await Array.fromAsync(client.readStream('a-1'));
    equal(read?.event?.isJson, false);
    deepEqual(Uint8Array.from(read?.event?.data ?? []), bytes);
    deepEqual(Uint8Array.from(read?.event?.metadata as Uint8Array), bytes);
  });
});

describe('credentials', () => {
  const calls: readonly ((client: EventStoreDBClient) => Promise<unknown>)[] = [
    (client) => client.appendToStream('a-1', thing()),
    (client) => Array.fromAsync(client.readStream('a-1')),
    (client) => Array.fromAsync(client.readAll({ maxCount: 1 })),
    (client) => client.deleteStream('a-1'),
    (client) => client.tombstoneStream('a-1'),
  ];

  test('that are wrong or missing are refused for every call', async () => {
    const { url, client, credentials } = await embeddedNode();
    const { username, password } = credentials;
    const users = ['', `${username}:guess@`, `${username}:${password}0@`, `somebody:${password}@`];
    for (const user of users)
      for (const call of calls) {
        const stranger = url.replace(`${username}:${password}@`, user);
        const error = await thrown(call(clientOf(stranger)));
        ok(error instanceof AccessDeniedError, `${user}: ${String(error)}`);
      }
    deepEqual(await Array.fromAsync(client.readAll()), []);
  });

  test('are of no use over a connection that is not encrypted', async () => {
    const { url } = await embeddedNode();
    const plain = clientOf(url.replace('tls=true', 'tls=false'));
    await rejects(plain.appendToStream('a-1', thing()));
  });

  test('are of no use to a client that does not know the authority of the node', async () => {
    const { url } = await embeddedNode();
    const trusting = clientOf(url.replace(/&tlsCAFile=.*/, ''));
    await rejects(trusting.appendToStream('a-1', thing()));
  });
});
