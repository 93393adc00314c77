import { deepEqual, rejects } from 'node:assert/strict';
import { jsonEvent } from '@eventstore/db-client';
import { Fault } from '@sluice/errors';
import { noFaults } from '@sluice/eventstore-server';
import { eventually } from '@sluice/patience';
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
    await client.appendToStream('sluice.thing-ä', jsonEvent({ type: 'WithoutMetadata', data: {} }));
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

  test('says when it is open and when it broke, and delivers nothing before it may', async () => {
    const node = await restartableNode();
    const store = await connected(node.url);
    await store.append('thing-1', [anEvent({ n: 1 })], 'no_stream');
    const told: string[] = [];
    let allow = () => {};
    const hooks = {
      onOpen: () => {
        told.push('open');
        return new Promise<void>((resolve) => {
          allow = resolve;
        });
      },
      onBreak: () => void told.push('broken'),
    };
    const seen = observe(store, ['thing-'], 'start', hooks);
    await eventually(() => deepEqual(told, ['open']));
    await store.append('thing-1', [anEvent({ n: 2 })], 0n);
    deepEqual(seen.messages, []);
    allow();
    await seen.until(() => seen.events().length === 2);
    await node.restart();
    await eventually(() => deepEqual([told[0], told[1], told.at(-1)], ['open', 'broken', 'open']));
    allow();
    await store.append('thing-1', [anEvent({ n: 3 })], 1n);
    await seen.until(() => seen.events().length === 3);
    await seen.stop();
  });

  test('ends with what its opening was declined with', async () => {
    const { url } = await embeddedNode();
    const store = await connected(url);
    const seen = observe(store, ['thing-'], 'start', {
      onOpen: () => Promise.reject(new Fault('event_store_diverged')),
    });
    await rejects(seen.running, { code: 'event_store_diverged' });
  });
});
