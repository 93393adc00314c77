import { deepEqual, rejects } from 'node:assert/strict';
import { jsonEvent } from '@eventstore/db-client';
import { noFaults } from '@sluice/eventstore-server';
import { describe, onTestFinished, test } from 'vitest';
import { connectEventStore } from './index.ts';
import { anEvent } from './testing/an-event.ts';
import { observe } from './testing/observed.ts';
import { embeddedNode } from './testing/official-client.ts';
import { restartableNode } from './testing/restartable-node.ts';

async function connected(url: string) {
  const store = await connectEventStore({ url });
  onTestFinished(() => store.stop());
  return store;
}

describe('a subscription', () => {
  test('gives events as the client reads them, whatever is in them', async () => {
    const { url, client } = await embeddedNode();
    const store = await connected(url);
    const data = { text: 'ä€😀"\\', none: null, large: '9007199254740993', list: [{ n: 1.5 }] };
    await store.append('thing-ä', [anEvent(data), anEvent({})], 'no_stream');
    await client.appendToStream('thing-ä', jsonEvent({ type: 'WithoutMetadata', data: {} }));
    const seen = observe(store, ['thing-']);
    await seen.until(() => seen.events().length === 3);
    await seen.stop();
    const read = await Array.fromAsync(store.read('thing-ä'));
    deepEqual(seen.events(), read);
  });

  test('presents the credentials, and fails where they are wrong', async () => {
    const { url, credentials } = await embeddedNode();
    const store = await connected(url);
    await store.append('thing-1', [anEvent({ n: 1 })], 'no_stream');
    const seen = observe(store, ['thing-']);
    await seen.until(() => seen.events().length === 1);
    await seen.stop();
    const refused = observe(await connected(url.replace(credentials.password, 'guess')), [
      'thing-',
    ]);
    await rejects(refused.running, {
      code: 'event_store_unavailable',
      message: /refused the credentials/,
    });
  });

  test('goes to the leader when it is told where that is', async () => {
    const faults = noFaults();
    const leader = await restartableNode();
    // Nodes of one cluster know the same users and the same authority.
    const { secretsDirectory } = leader;
    const node = await restartableNode({ faults, secretsDirectory });
    const there = await connected(leader.url);
    await there.append('thing-1', [anEvent({ n: 1 })], 'no_stream');
    const { hostname: host, port } = new URL(leader.url);
    faults.notLeader = { host, port: Number(port) };
    const seen = observe(await connected(node.url), ['thing-']);
    await seen.until(() => seen.events().length === 1);
    await seen.stop();
    deepEqual(seen.data(), [{ n: 1 }]);
  });
});
