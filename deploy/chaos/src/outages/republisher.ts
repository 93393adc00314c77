import { setTimeout as delay } from 'node:timers/promises';
import { type BusMessage, connectBus, subjectFilters, usageStream } from '@sluice/bus';
import type { Random } from '@sluice/testing/random';

export interface RepublisherOptions {
  readonly url: string;
  readonly token: string;
  readonly random: Random;
}

export interface Republisher {
  /** The number of facts that were published again. */
  readonly counts: { republished: number };
  stop(): Promise<void>;
}

const again = '/again';
const delayMsMax = 3_000;
const logger = { info: () => {}, warn: () => {}, error: () => {} };

/**
 * Takes usage off the stream and puts half of it there a second time, in other bundles of other ids, so that the
 * broker takes it; late, and in another order.
 */
export async function startRepublisher(options: RepublisherOptions): Promise<Republisher> {
  const { random } = options;
  const bus = await connectBus({ url: options.url, token: options.token, name: 'twice', logger });
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
    async stop() {
      stopping.abort();
      await consuming;
      await Promise.all(sending);
      await bus.stop();
    },
  };
}
