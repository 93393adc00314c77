import {
  AckPolicy,
  type ConsumerMessages,
  DeliverPolicy,
  type JetStreamClient,
  type JetStreamManager,
  type JsMsg,
} from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { acknowledge } from './acknowledge.ts';
import { type Backoff, createBackoff, pause } from './backoff.ts';
import type { BusLogger, BusMessage, ConsumeOptions } from './bus.ts';
import { batchLength } from './batch-length.ts';
import { decode } from './message.ts';
import { isMissing, nanosPerMs } from './streams.ts';

export interface ConsumeDependencies {
  readonly connection: NatsConnection;
  readonly client: JetStreamClient;
  readonly manager: JetStreamManager;
  /** Makes the stream again when a broker without it is back. */
  readonly prepare: () => Promise<void>;
  readonly logger: BusLogger;
}

/** How long what a killed consumer held stays uncounted; short, since a redelivery is harmless. */
const ackWaitMs = 5_000;
/** Well inside ackWaitMs: a slow handler does not lose its batch to another consumer. */
const keepAliveMs = 1_500;
const pullExpiresMs = 10_000;
/** Handed out and not acknowledged, in batches, over all consumers of the durable. */
const batchesUnackedMax = 4;
const retryMsMin = 50;
const retryMsMax = 5_000;

/** Pulls for one durable consumer until the signal aborts, whatever happens to broker or handler. */
export async function consumeDurable(
  dependencies: ConsumeDependencies,
  options: ConsumeOptions,
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

async function ensureConsumer(manager: JetStreamManager, options: ConsumeOptions): Promise<void> {
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
async function pull(
  { connection, client, logger }: ConsumeDependencies,
  options: ConsumeOptions,
  backoff: Backoff,
): Promise<void> {
  const { stream, durable, batchMax, lingerMs = 0, signal } = options;
  const waiting: JsMsg[] = [];
  const state: { ended: boolean; reason?: unknown } = { ended: false };
  let isBehind = false;
  let wake = () => {};
  const consumer = await client.consumers.get(stream, durable);
  const source: ConsumerMessages = await consumer.consume({
    max_messages: batchMax,
    expires: pullExpiresMs,
    abort_on_missing_resource: true,
    callback: (message) => {
      waiting.push(message);
      wake();
    },
  });
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
      if (waiting.length === 0) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
        continue;
      }
      if (lingerMs > 0 && !isBehind && waiting.length < batchMax) await pause(lingerMs, signal);
      const batch = waiting.splice(
        0,
        batchLength(waiting, ({ data }) => data, options),
      );
      isBehind = waiting.length > 0;
      await handleBatch(batch, waiting, { connection, options, logger, backoff });
    }
  } finally {
    signal.removeEventListener('abort', onAbort);
    await source.close();
    for (const message of waiting) message.nak();
  }
  if (!signal.aborted) throw new Error('the pull ended', { cause: state.reason });
}

interface BatchContext {
  readonly connection: NatsConnection;
  readonly options: ConsumeOptions;
  readonly logger: BusLogger;
  readonly backoff: Backoff;
}

async function handleBatch(
  batch: readonly JsMsg[],
  waiting: readonly JsMsg[],
  { connection, options, logger, backoff }: BatchContext,
): Promise<void> {
  const keepAlive = setInterval(() => {
    for (const message of [...batch, ...waiting]) message.working();
  }, keepAliveMs);
  try {
    await options.handle(batch.map((message) => new Delivery(message)));
    acknowledge(connection, batch);
    backoff.reset();
  } catch (error) {
    const retryMs = backoff.nextMs();
    for (const message of batch) message.nak(retryMs);
    const { durable, stream } = options;
    logger.error(`a batch of ${durable} failed and comes again`, {
      stream,
      count: batch.length,
      error,
    });
    await pause(retryMs, options.signal);
  } finally {
    clearInterval(keepAlive);
  }
}

/** Its data, its id among the headers, what the broker says of it: each is read when somebody asks. */
class Delivery implements BusMessage {
  readonly subject: string;
  readonly bytes: Uint8Array;
  readonly #message: JsMsg;
  #data: unknown;

  constructor(message: JsMsg) {
    this.#message = message;
    this.subject = message.subject;
    this.bytes = message.data;
  }

  get data(): unknown {
    this.#data ??= decode(this.bytes);
    return this.#data;
  }

  get id(): string | undefined {
    return this.#message.headers?.get('Nats-Msg-Id') || undefined;
  }

  get redelivered(): boolean {
    return this.#message.redelivered;
  }
}
