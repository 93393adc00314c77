import { deepEqual, equal, ok } from 'node:assert/strict';
import { Client, status, type ServiceError } from '@grpc/grpc-js';
import { describe, test } from 'vitest';
import { MaximumAppendSizeExceeded } from '@sluice/protos/event_store/client/shared';
import type { AppendReq, AppendResp } from '@sluice/protos/event_store/client/streams';
import { chunk, event, options, proposed, readRequest, removal, uuid } from './testing/requests.ts';
import { aNode, batchAppend, collect, failureOf, streamIdentifier } from './testing/wire.ts';

type Node = Awaited<ReturnType<typeof aNode>>;

async function append({ client }: Node, messages: readonly AppendReq['content'][]) {
  const { promise, resolve } = Promise.withResolvers<{
    error: ServiceError | null;
    response: AppendResp | undefined;
  }>();
  const call = client.append((error, response) => resolve({ error, response }));
  for (const content of messages) call.write({ content });
  call.end();
  return await promise;
}

const trailer = (error: ServiceError | null, key: string) => error?.metadata.get(key)[0];

describe('a method that is not served', () => {
  test('is answered with UNIMPLEMENTED, in a known service as in an unknown one', async () => {
    const { address, channelFor, basic, username, password } = await aNode();
    const bare = new Client(address, channelFor(basic(`${username}:${password}`)));
    for (const path of ['streams.Streams/Rename', 'persistent_subscriptions.X/Create']) {
      const error = await new Promise<ServiceError | null>((resolve) => {
        const pass = (value: Buffer) => value;
        const full = `/event_store.client.${path}`;
        bare.makeUnaryRequest(full, pass, pass, Buffer.alloc(0), (failed) => resolve(failed));
      });
      equal(error?.code, status.UNIMPLEMENTED);
    }
    bare.close();
  });
});

describe('a read', () => {
  test('without a UUID option, a count or options is refused', async () => {
    const { client } = await aNode();
    const requests = [
      readRequest({ uuidOption: undefined }),
      readRequest({ countOption: undefined }),
      { options: undefined },
    ];
    for (const request of requests)
      equal((await failureOf(client.read(request))).code, status.INVALID_ARGUMENT);
  });

  test('gives ids as two numbers to clients that ask for them so', async () => {
    const { client } = await aNode();
    const id = 'f3c1a5d2-9b4e-4f60-8123-456789abcdef';
    await batchAppend(client, [chunk({ proposedMessages: [{ ...proposed(), id: uuid(id) }] })]);
    const structured = { content: { $case: 'structured' as const, value: {} } };
    const [message] = await collect(client.read(readRequest({ uuidOption: structured })));
    const content = message?.content;
    const value = content?.$case === 'event' ? content.value.event?.id?.value : undefined;
    ok(value?.$case === 'structured');
    const { mostSignificantBits, leastSignificantBits } = value.value;
    equal(BigInt.asUintN(64, mostSignificantBits).toString(16), 'f3c1a5d29b4e4f60');
    equal(BigInt.asUintN(64, leastSignificantBits).toString(16), '8123456789abcdef');
  });

  test('from a position at which no event lies is refused', async () => {
    const { client } = await aNode();
    await batchAppend(client, [chunk()]);
    const position = { commitPosition: 1n, preparePosition: 1n };
    const value = { allOption: { $case: 'position' as const, value: position } };
    const request = readRequest({ streamOption: { $case: 'all', value } });
    const error = await failureOf(client.read(request));
    equal(error.code, status.INVALID_ARGUMENT);
    equal(error.details, 'Trying to read from an invalid position.');
  });
});

describe('an append call', () => {
  test('writes its events and says where the last one lies', async () => {
    const node = await aNode();
    const { response } = await append(node, [options(), event(), event()]);
    ok(response?.result?.$case === 'success');
    const { currentRevisionOption, positionOption } = response.result.value;
    deepEqual(currentRevisionOption, { $case: 'currentRevision', value: 1n });
    ok(positionOption?.$case === 'position' && positionOption.value.commitPosition > 0n);
  });

  test('without type or content type is refused with the names of what is missing', async () => {
    const node = await aNode();
    const contentType = { 'content-type': 'application/json' };
    const incomplete: Record<string, string>[] = [{}, { type: 'T' }, contentType];
    for (const metadata of incomplete) {
      const { error } = await append(node, [options(), event(proposed('{}', metadata))]);
      equal(error?.code, status.INVALID_ARGUMENT);
      equal(trailer(error, 'exception'), 'missing-required-metadata-property');
      equal(trailer(error, 'required-metadata-properties'), 'type,content-type');
    }
  });

  test('over the size limit is refused with the limit, and writes nothing', async () => {
    const node = await aNode({ appendBytesMax: 1_000 });
    const { error } = await append(node, [options(), event(proposed('x'.repeat(990)))]);
    equal(trailer(error, 'exception'), 'maximum-append-size-exceeded');
    equal(trailer(error, 'maximum-append-size'), '1000');
    deepEqual(await collect(node.client.read(readRequest({}))), []);
  });

  test('without options, with an id that is none or with no stream name is refused', async () => {
    const node = await aNode();
    const noId = { ...proposed(), id: uuid('not-a-uuid') };
    for (const messages of [[event()], [options(), event(noId)], [options('$$')]])
      equal((await append(node, messages)).error?.code, status.INVALID_ARGUMENT);
    equal((await append(node, [options('')])).error?.code, status.PERMISSION_DENIED);
  });

  test('that breaks off writes nothing, wherever it breaks', async () => {
    const node = await aNode();
    const messages = [
      options(),
      ...Array.from({ length: 40 }, () => event(proposed('x'.repeat(500)))),
    ];
    for (let breaks = 1; breaks <= 40; breaks++) {
      const { promise: ended, resolve } = Promise.withResolvers<ServiceError | null>();
      const call = node.client.append(resolve);
      for (const content of messages.slice(0, breaks)) call.write({ content });
      // Some of it is on the wire, some is not.
      for (let turns = 0; turns < breaks % 8; turns++) await new Promise(setImmediate);
      call.cancel();
      equal((await ended)?.code, status.CANCELLED);
    }
    // The node has received the end of every call before it answers this one.
    const { response } = await append(node, messages);
    ok(response?.result?.$case === 'success');
    deepEqual(response.result.value.currentRevisionOption, {
      $case: 'currentRevision',
      value: 39n,
    });
  });

  test('to a tombstoned stream is refused with its name', async () => {
    const node = await aNode();
    const any = { $case: 'any' as const, value: {} };
    const gone = { streamIdentifier: streamIdentifier('a-1'), expectedStreamRevision: any };
    await new Promise((resolve) => node.client.tombstone({ options: gone }, resolve));
    const { error } = await append(node, [options(), event()]);
    equal(error?.code, status.FAILED_PRECONDITION);
    equal(trailer(error, 'exception'), 'stream-deleted');
    equal(trailer(error, 'stream-name'), 'a-1');
  });
});

describe('the name of a stream in a refusal', () => {
  const names = [
    'thing-1',
    'a%b ~',
    'ä',
    '✓€',
    '😀',
    'line\nbreak\u0000',
    'ö'.repeat(5_000),
    '😀x'.repeat(3_000),
  ];

  test('is whole in the text, and in the trailers as far as they can hold it', async () => {
    const node = await aNode();
    for (const name of names) {
      await new Promise<void>((resolve, reject) => {
        node.client.tombstone(removal(name), (error) => (error ? reject(error) : resolve()));
      });
      const { error } = await append(node, [options(name), event()]);
      equal(error?.code, status.FAILED_PRECONDITION);
      equal(trailer(error, 'exception'), 'stream-deleted');
      const told = String(trailer(error, 'stream-name'));
      ok(/^[ -~]{1,2000}$/.test(told), told);
      const isAscii = /^[ -~]*$/.test(name);
      ok(isAscii ? told === name : name.startsWith(decodeURIComponent(told)), told);
      ok(told.length > 1_900 || isAscii || decodeURIComponent(told) === name);
      if (name.length < 1_000) ok(error.details.includes(name), error.details);
    }
  });

  test('is another one for another stream', async () => {
    const node = await aNode();
    const told = new Set<string>();
    for (const name of ['ä', 'ö', '✓', '€']) {
      await batchAppend(node.client, [chunk()]);
      const wrong = {
        ...removal(name).options,
        expectedStreamRevision: { $case: 'revision', value: 7n },
      };
      const error = await new Promise<ServiceError | null>((resolve) => {
        node.client.delete({ options: wrong } as never, (failed) => resolve(failed));
      });
      told.add(String(trailer(error, 'stream-name')));
    }
    equal(told.size, 4);
  });
});

describe('a batch append', () => {
  test('comes in chunks and is one append', async () => {
    const { client } = await aNode();
    const correlationId = uuid();
    const answer = await batchAppend(client, [
      chunk({ correlationId, isFinal: false }),
      chunk({ correlationId, options: undefined, isFinal: false }),
      chunk({ correlationId, options: undefined, proposedMessages: [] }),
    ]);
    ok(answer.result?.$case === 'success');
    deepEqual(answer.correlationId, correlationId);
    const revision = { $case: 'currentRevision', value: 1n };
    deepEqual(answer.result.value.currentRevisionOption, revision);
  });

  test('that is refused leaves the call open for the others', async () => {
    const { client } = await aNode({ appendBytesMax: 100 });
    const call = client.batchAppend();
    const answers = collect(call);
    const noStream = { ...chunk().options, streamIdentifier: undefined } as never;
    call.write(chunk({ proposedMessages: [proposed('x'.repeat(200))] }));
    call.write(chunk({ proposedMessages: [proposed('{}', {})] }));
    call.write(chunk({ options: noStream }));
    call.write(chunk({ correlationId: undefined, options: undefined }));
    call.write(chunk());
    call.end();
    const results = (await answers).map(({ result }) =>
      result?.$case === 'error' ? result.value.details?.typeUrl.split('.').at(-1) : result?.$case,
    );
    deepEqual(
      results.toSorted((a, b) => String(a).localeCompare(String(b))),
      ['BadRequest', 'BadRequest', 'BadRequest', 'MaximumAppendSizeExceeded', 'success'],
    );
  });

  test.each([2, 9, 40])(
    'of %i MiB fails alone: the others of the call are written',
    async (mebibytes) => {
      const { client } = await aNode();
      const call = client.batchAppend();
      const answers = collect(call);
      const large = proposed('x'.repeat(mebibytes * 2 ** 20));
      for (let n = 0; n < 5; n++) call.write(chunk());
      call.write(chunk({ proposedMessages: [large] }));
      for (let n = 0; n < 5; n++) call.write(chunk());
      call.end();
      const results = (await answers).map(({ result }) =>
        result?.$case === 'error' ? result.value.message : result?.$case,
      );
      deepEqual(
        results.toSorted((a, b) => String(a).localeCompare(String(b))),
        ['MaximumAppendSizeExceeded', ...Array.from({ length: 10 }, () => 'success')],
      );
    },
  );

  test('over the size limit says the limit', async () => {
    const { client } = await aNode({ appendBytesMax: 100 });
    const large = chunk({ proposedMessages: [proposed('x'.repeat(200))] });
    const { result } = await batchAppend(client, [large]);
    ok(result?.$case === 'error' && result.value.details);
    const { maxAppendSize } = MaximumAppendSizeExceeded.decode(result.value.details.value);
    equal(maxAppendSize, 100);
  });

  test('whose deadline has passed is answered with a timeout and not written, whatever else is wrong', async () => {
    const { client } = await aNode({ appendBytesMax: 100 });
    const { options: base } = chunk();
    ok(base);
    for (const deadlineOption of [
      { $case: 'deadline21100' as const, value: new Date(1_000) },
      { $case: 'deadline' as const, value: { seconds: 0n, nanos: 0 } },
    ]) {
      for (const proposedMessages of [
        [proposed()],
        [proposed('x'.repeat(200))],
        [proposed('{}', {})],
      ]) {
        const options = { ...base, deadlineOption };
        const { result } = await batchAppend(client, [chunk({ options, proposedMessages })]);
        const type = result?.$case === 'error' ? result.value.details?.typeUrl : undefined;
        equal(type, 'type.googleapis.com/event_store.client.Timeout');
      }
    }
    deepEqual(await collect(client.read(readRequest({}))), []);
  });

  test('with too many unfinished appends ends the call', async () => {
    const { client } = await aNode();
    const call = client.batchAppend();
    const failed = failureOf(call);
    call.on('data', () => {});
    for (let n = 0; n < 100; n++) call.write(chunk({ isFinal: false }));
    equal((await failed).code, status.RESOURCE_EXHAUSTED);
  });
});

describe('stopping', () => {
  test('ends subscriptions with UNAVAILABLE, so that clients come back', async () => {
    const { server, client } = await aNode();
    const countOption = { $case: 'subscription' as const, value: {} };
    const call = client.read(readRequest({ countOption }));
    const failed = failureOf(call);
    await new Promise<void>((resolve) => call.once('data', () => resolve()));
    call.resume();
    await server.stop();
    equal((await failed).code, status.UNAVAILABLE);
  });

  test('answers the appends that were accepted, then ends their call with UNAVAILABLE', async () => {
    const { server, client } = await aNode();
    const call = client.batchAppend();
    const failed = failureOf(call);
    const answered = new Promise<string | undefined>((resolve) =>
      call.once('data', ({ result }) => resolve(result?.$case)),
    );
    call.write(chunk());
    equal(await answered, 'success');
    await server.stop();
    equal((await failed).code, status.UNAVAILABLE);
  });
});
