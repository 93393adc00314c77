import { setTimeout as delay } from 'node:timers/promises';
import { type BusMessage, connectBus, subjectFilters, usageStream } from '@sluice/bus';
import type { Random } from '@sluice/testing/random';
import type { Broker } from './broker.ts';

const again = '/again';
const delayMsMax = 3_000;
const logger = { info: () => {}, warn: () => {}, error: () => {} };

/**
 * Takes usage off the stream and publishes half of it a second time: late, in another order, and in other bundles
 * under other ids, so that the broker accepts it.
 */
export async function startRepublisher({ port, token }: Broker, random: Random) {
  const url = `nats://127.0.0.1:${port}`;
  const bus = await connectBus({ url, token, name: 'twice', logger });
  await bus.ensureStream(usageStream);
  const stopping = new AbortController();
  const counts = { republished: 0 };
  const sending = new Set<Promise<void>>();
  const send = async ({ subject, id }: BusMessage, facts: readonly unknown[]) => {
    await delay(random.next() * delayMsMax);
    await bus.publishFact(subject, `${id}${again}`, { facts }).then(
      () => void (counts.republished += facts.length),
      () => undefined,
    );
  };
  const consuming = bus.consume({
    stream: usageStream.name,
    durable: 'chaos-republish',
    filter: subjectFilters.usageRecorded,
    batchMax: 50,
    signal: stopping.signal,
    async handle(messages) {
      for (const message of messages) {
        if (message.id?.endsWith(again) === true) continue;
        const { facts } = message.data as { readonly facts: readonly unknown[] };
        const some = facts.filter(() => random.next() < 0.5).toReversed();
        if (some.length === 0) continue;
        const sent = send(message, some).finally(() => sending.delete(sent));
        sending.add(sent);
      }
    },
  });
  return {
    counts,
    async [Symbol.asyncDispose]() {
      stopping.abort();
      await consuming;
      await Promise.all(sending);
      await bus.stop();
    },
  };
}
