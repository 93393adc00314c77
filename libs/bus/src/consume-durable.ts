import {
  AckPolicy,
  type ConsumerMessages,
  DeliverPolicy,
  type JetStreamClient,
  type JetStreamManager,
} from '@nats-io/jetstream';
import { type Backoff, createBackoff, pause } from './backoff.ts';
import type { BusLogger, ConsumeOptions } from './bus.ts';
import { acknowledged, type Delivery, refused } from './delivery.ts';
import { type HeldDeliveries, heldDeliveries } from './held-deliveries.ts';
import { isMissing, nanosPerMs } from './streams.ts';

export interface ConsumeDependencies {
  readonly client: JetStreamClient;
  readonly manager: JetStreamManager;
  /** Makes the stream again when a broker without it is back. */
  readonly prepare: () => Promise<void>;
  readonly logger: BusLogger;
}

/**
 * The broker redelivers the messages of a killed consumer after this time. It is short, because a redelivery is
 * harmless.
 */
const ackWaitMs = 5_000;
/** Well inside ackWaitMs: a slow handler loses nothing that it has to another consumer. */
const keepAliveMs = 1_500;
const pullExpiresMs = 10_000;
/** Handed out and not acknowledged, in batches, over all consumers of the durable. */
const batchesUnackedMax = 4;
const retryMsMin = 50;
const retryMsMax = 5_000;

/** Pulls for one durable consumer until the signal aborts, whatever happens to broker or handler. */
export async function consumeDurable<Read>(
  dependencies: ConsumeDependencies,
  options: ConsumeOptions<Read>,
): Promise<void> {
  const { logger } = dependencies;
  const { stream, durable, signal } = options;
  const backoff = createBackoff(retryMsMin, retryMsMax);
  while (!signal.aborted) {
    try {
      await dependencies.prepare();
      await ensureConsumer(dependencies.manager, options);
      await pull(dependencies, options, backoff);
    } catch (error) {
      if (signal.aborted) return;
      logger.warn(`the consumer ${durable} starts again`, { stream, error });
      await pause(backoff.nextMs(), signal);
    }
  }
}

async function ensureConsumer<Read>(
  manager: JetStreamManager,
  options: ConsumeOptions<Read>,
): Promise<void> {
  const { stream, durable, filter, batchMax } = options;
  const changeable = {
    ack_wait: ackWaitMs * nanosPerMs,
    max_ack_pending: batchesUnackedMax * batchMax,
    filter_subject: filter,
  };
  const existing = await manager.consumers.info(stream, durable).catch((error: unknown) => {
    if (isMissing(error)) return undefined;
    throw error;
  });
  if (!existing) {
    await manager.consumers.add(stream, {
      durable_name: durable,
      ack_policy: AckPolicy.Explicit,
      deliver_policy: DeliverPolicy.All,
      max_deliver: -1,
      ...changeable,
    });
    return;
  }
  const { config } = existing;
  const same =
    config.ack_wait === changeable.ack_wait &&
    config.max_ack_pending === changeable.max_ack_pending &&
    config.filter_subject === changeable.filter_subject;
  if (!same) await manager.consumers.update(stream, durable, changeable);
}

/** Returns when the signal aborts; throws when the consumer is gone. */
async function pull<Read>(
  { client, logger }: ConsumeDependencies,
  options: ConsumeOptions<Read>,
  backoff: Backoff,
): Promise<void> {
  const { stream, durable, batchMax, batchEveryMs = 0, signal } = options;
  const held = heldDeliveries(options, batchesUnackedMax * batchMax);
  const state: { ended: boolean; reason?: unknown } = { ended: false };
  let isBehind = false;
  let beganMs = -Infinity;
  let wake = () => {};
  /** Resolves when so many deliveries wait, or the pull ends. */
  const untilWaiting = (count: number) =>
    new Promise<void>((resolve) => {
      wake = () => {
        if (state.ended || held.waitingCount >= count) resolve();
      };
    });
  const consumer = await client.consumers.get(stream, durable);
  const source: ConsumerMessages = await consumer.consume({
    max_messages: batchMax,
    expires: pullExpiresMs,
    abort_on_missing_resource: true,
    callback: (message) => {
      held.take(message);
      wake();
    },
  });
  const keepAlive = setInterval(() => held.keepAlive(), keepAliveMs);
  const end = (reason: unknown) => {
    if (!state.ended) Object.assign(state, { ended: true, reason });
    wake();
  };
  const onAbort = () => end(undefined);
  void source.closed().then(end);
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) onAbort();
  try {
    while (!state.ended) {
      if (held.waitingCount === 0) {
        await untilWaiting(1);
        continue;
      }
      const earlyMs = beganMs + batchEveryMs - performance.now();
      if (earlyMs > 0 && !isBehind && held.waitingCount < batchMax)
        await Promise.race([pause(earlyMs, signal), untilWaiting(batchMax)]);
      beganMs = performance.now();
      const batch = held.nextBatch();
      isBehind = held.waitingCount > 0;
      await handleBatch(batch, held, { options, logger, backoff });
    }
  } finally {
    signal.removeEventListener('abort', onAbort);
    await source.close();
    clearInterval(keepAlive);
    held.answerWaiting(refused());
  }
  if (!signal.aborted) throw new Error('the pull ended', { cause: state.reason });
}

interface BatchContext<Read> {
  readonly options: ConsumeOptions<Read>;
  readonly logger: BusLogger;
  readonly backoff: Backoff;
}

/** Acknowledges the batch once it is handled; hands it back after an error. */
async function handleBatch<Read>(
  batch: readonly Delivery<Read>[],
  held: HeldDeliveries<Read>,
  { options, logger, backoff }: BatchContext<Read>,
): Promise<void> {
  try {
    await options.handle(batch.map(({ read }) => read));
    held.answer(batch, acknowledged);
    backoff.reset();
  } catch (error) {
    const retryMs = backoff.nextMs();
    held.answer(batch, refused(retryMs));
    const { durable, stream } = options;
    logger.error(`a batch of ${durable} failed and comes again`, {
      stream,
      count: batch.length,
      error,
    });
    await pause(retryMs, options.signal);
  }
}
