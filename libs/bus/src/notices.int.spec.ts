import { deepEqual, equal, ok } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { until } from '@sluice/patience';
import { faultyBroker } from '@sluice/testing/faulty-broker';
import { describe, onTestFinished, test } from 'vitest';
import { connectBus } from './connect-bus.ts';
import { createNotices } from './notices/follow-notices.ts';
import { noticeStream, subjectFilters, subjects } from './subjects.ts';
import { cuttableProxy } from './testing/cuttable-proxy.ts';

const logger = { info: () => {}, warn: () => {}, error: () => {} };

async function fixture() {
  const broker = await faultyBroker();
  onTestFinished(() => broker.stop());
  const { directUrl, token } = broker;
  const proxy = await cuttableProxy(directUrl);
  onTestFinished(() => proxy.stop());
  const opened = async (url: string) => {
    const bus = await connectBus({ url, token, name: 'spec', logger });
    onTestFinished(() => bus.stop());
    return bus;
  };
  const [follower, publisher] = [await opened(proxy.url), await opened(directUrl)];
  const arrived: string[] = [];
  let misses = 0;
  const stopping = new AbortController();
  onTestFinished(() => stopping.abort());
  const notices = createNotices(follower, { anew: subjectFilters.historyChanged });
  notices.listen({
    filters: [subjectFilters.keyChanged],
    received: ({ subject }) => void arrived.push(subject.slice(subject.lastIndexOf('.') + 1)),
    missed: () => void misses++,
  });
  await notices.start(stopping.signal);
  await until(() => misses === 1);
  const publish = async () => {
    const name = randomUUID();
    await publisher.publishNotice(subjects.keyChanged(name), {});
    return name;
  };
  return { broker, proxy, follower, notices, arrived, publish, missed: () => misses };
}

describe('a process whose connection to the broker breaks', () => {
  test('receives each notice once that was published meanwhile, again and again', async () => {
    const { proxy, follower, arrived, publish, missed, notices } = await fixture();
    const published: string[] = [];
    for (let round = 0; round < 4; round++) {
      published.push(await publish());
      proxy.cut();
      await until(() => !follower.isConnected());
      published.push(await publish(), await publish());
      proxy.mend();
      await until(() => arrived.length >= published.length);
    }
    deepEqual(arrived.toSorted(), published.toSorted());
    equal(missed(), 1);
    await until(() => notices.unsubscribedMs() <= 1_000);
  });

  test('is told that notices are lost when the stream is another one', async () => {
    const { broker, publish, missed, notices } = await fixture();
    await publish();
    await until(() => notices.unsubscribedMs() <= 500);
    const connection = await connect({
      servers: broker.directUrl,
      user: 'sluice',
      pass: broker.token,
    });
    onTestFinished(() => connection.close());
    const manager = await jetstreamManager(connection);
    await manager.streams.delete(noticeStream.name);
    await until(() => missed() >= 2);
    const name = await publish();
    ok(name);
  });
});
