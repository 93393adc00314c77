import { deepEqual, equal, ok, rejects } from 'node:assert/strict';
import { access, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type Client,
  type ClientReadableStream,
  credentials,
  type Metadata,
  type ServiceError,
  status,
} from '@grpc/grpc-js';
import { GossipClient } from '@sluice/protos/event_store/client/gossip';
import { ServerFeaturesClient } from '@sluice/protos/event_store/client/server_features';
import { type ReadReq_Options, StreamsClient } from '@sluice/protos/event_store/client/streams';
import { describe, onTestFinished, test } from 'vitest';
import { chunk, event, options, readRequest, removal } from '../testing/requests.ts';
import { startEventStoreServer } from '../server.ts';
import { scratchDirectory } from '../testing/scratch.ts';
import { aNode, batchAppend, streamIdentifier } from '../testing/wire.ts';

interface Refused {
  readonly code: number;
  readonly details: string;
  readonly metadata: Metadata;
}

const ofStream: Partial<ReadReq_Options> = {
  streamOption: {
    $case: 'stream',
    value: {
      streamIdentifier: streamIdentifier('a-1'),
      revisionOption: { $case: 'start', value: {} },
    },
  },
};
const subscribing: Partial<ReadReq_Options> = {
  countOption: { $case: 'subscription', value: {} },
};

/** Every call that reads or writes, and how it ends for a client without rights. */
const calls: Readonly<Record<string, (client: StreamsClient) => Promise<Refused | undefined>>> = {
  'read of a stream': (client) => endOf(client.read(readRequest(ofStream))),
  'read of $all': (client) => endOf(client.read(readRequest({}))),
  'subscription to a stream': (client) =>
    endOf(client.read(readRequest({ ...ofStream, ...subscribing }))),
  'subscription to $all': (client) => endOf(client.read(readRequest(subscribing))),
  append: (client) =>
    callback((done) => {
      const call = client.append(done);
      call.on('error', () => {});
      for (const content of [options(), event()]) call.write({ content });
      call.end();
    }),
  delete: (client) => callback((done) => client.delete(removal('a-1'), done)),
  tombstone: (client) => callback((done) => client.tombstone(removal('a-1'), done)),
};

function callback(
  start: (done: (error: ServiceError | null) => void) => unknown,
): Promise<Refused | undefined> {
  return new Promise((resolve) => void start((error) => resolve(error ?? undefined)));
}

function endOf(call: ClientReadableStream<unknown>): Promise<Refused | undefined> {
  return new Promise((resolve) => {
    call.on('error', resolve);
    // The server sends a message instead of a refusal.
    call.on('data', () => resolve(undefined));
    call.on('end', () => resolve(undefined));
  });
}

async function lengthOfLog(client: StreamsClient): Promise<number> {
  const messages = await Array.fromAsync(client.read(readRequest({})) as AsyncIterable<unknown>);
  return messages.length;
}

describe('a client without credentials', () => {
  test.each(Object.keys(calls))('is denied access: %s', async (name) => {
    const { client, clientAs } = await aNode();
    await batchAppend(client, [chunk()]);
    const refused = await calls[name]?.(clientAs(undefined));
    equal(refused?.code, status.PERMISSION_DENIED);
    equal(refused.details, 'Access Denied');
    deepEqual(refused.metadata.get('exception'), ['access-denied']);
    equal(await lengthOfLog(client), 1);
  });

  test('is answered with AccessDenied to each of its batch appends, over a call that goes on', async () => {
    const { client, clientAs } = await aNode();
    const call = clientAs(undefined).batchAppend();
    onTestFinished(() => call.cancel());
    call.on('error', () => {});
    for (let count = 0; count < 3; count++) {
      const answer = new Promise<unknown>((resolve) => call.once('data', resolve));
      call.write(chunk());
      const { result } = (await answer) as Awaited<ReturnType<typeof batchAppend>>;
      if (result?.$case !== 'error') throw new Error('it was written');
      const { code, message, details } = result.value;
      deepEqual([code, message], [status.PERMISSION_DENIED, 'AccessDenied']);
      equal(details?.typeUrl, 'type.googleapis.com/event_store.client.AccessDenied');
    }
    equal(await lengthOfLog(client), 0);
  });

  test('may ask what the server can do, as with a real one', async () => {
    const { channelFor, address } = await aNode();
    const features = opened(new ServerFeaturesClient(address, channelFor(undefined)));
    equal(await callback((done) => features.getSupportedMethods({}, done)), undefined);
    const gossip = opened(new GossipClient(address, channelFor(undefined)));
    equal(await callback((done) => gossip.read({}, done)), undefined);
  });

  test('cannot even speak to the node without TLS', async () => {
    const { address } = await aNode();
    const client = opened(new StreamsClient(address, credentials.createInsecure()));
    const refused = await endOf(client.read(readRequest({})));
    equal(refused?.code, status.UNAVAILABLE);
  });
});

describe('a client with wrong credentials', () => {
  test('is unauthenticated for every call, also for those that need none', async () => {
    const { client, clientAs, channelFor, basic, address, username, password } = await aNode();
    const right = basic(`${username}:${password}`);
    const wrong = [
      basic(`${username}:guess`),
      basic(`${username}:${password}0`),
      basic(`${username}:${password.slice(1)}`),
      basic(`somebody:${password}`),
      basic(username),
      right.replace('Basic', 'Bearer'),
      `${right} `.trimStart().concat('x'),
      'Basic',
    ];
    for (const authorization of wrong) {
      const stranger = clientAs(authorization);
      for (const [name, call] of Object.entries(calls)) {
        const refused = await call(stranger);
        equal(refused?.code, status.UNAUTHENTICATED, `${authorization}: ${name}`);
        ok(!JSON.stringify(refused).includes(password));
      }
      const batch = stranger.batchAppend();
      equal((await endOf(batch as never))?.code, status.UNAUTHENTICATED);
      const features = opened(new ServerFeaturesClient(address, channelFor(authorization)));
      const answer = await callback((done) => features.getSupportedMethods({}, done));
      equal(answer?.code, status.UNAUTHENTICATED);
    }
    equal(await lengthOfLog(client), 0);
  });
});

describe('the password', () => {
  test('is another one for each node, kept over restarts, and in no argument of the process', async () => {
    const first = await aNode();
    const second = await aNode();
    ok(first.password.length >= 32);
    ok(first.password !== second.password);
    await first.server.stop();
    const again = await aNode({ directory: first.directory });
    equal(again.password, first.password);
    ok(!(await readFile('/proc/self/cmdline', 'utf8')).includes(first.password));
  });
});

function opened<Opened extends Client>(client: Opened): Opened {
  onTestFinished(() => client.close());
  return client;
}

describe('a node without TLS and without a user', () => {
  test.each(['0.0.0.0', '::', '192.0.2.1', 'example.com'])(
    'is refused the address %s, which others reach, and makes nothing',
    async (host) => {
      const directory = join(await scratchDirectory(), 'log');
      const starting = startEventStoreServer({ directory, port: 0, host, insecure: true });
      await rejects(starting, /may listen on 127\.0\.0\.1 only/);
      await rejects(access(directory), { code: 'ENOENT' });
    },
  );

  test('asks nobody for credentials, and has no secrets', async () => {
    const directory = await scratchDirectory();
    const server = await startEventStoreServer({ directory, port: 0, insecure: true });
    onTestFinished(() => server.stop());
    equal(server.url, `esdb://127.0.0.1:${server.port}?tls=false`);
    const client = opened(
      new StreamsClient(`127.0.0.1:${server.port}`, credentials.createInsecure()),
    );
    equal(await endOf(client.read(readRequest({}))), undefined);
    await rejects(access(join(directory, 'secrets')), { code: 'ENOENT' });
  });
});
