import { catalog } from '@sluice/errors';
import type { InferenceReply } from '@sluice/inference';
import { faultOf, failurePart } from '../responses/error-reply.ts';
import { advanceResponse, endResponse, type ResponseState } from '../responses/events.ts';
import {
  doneBytes,
  errorEventBytes,
  keepAliveBytes,
  sseBytes,
  sseHeaders,
} from '../responses/sse.ts';
import { firstOutput, type Started } from './attempts.ts';
import { ByteChannel } from './byte-channel.ts';
import type { Pipeline } from './deps.ts';
import { type Generation, metadataOf } from './generation.ts';
import { openingOf, relay } from './relay.ts';

/**
 * The response as events. The status is held back until there is output or an error, but not for
 * ever. Throws the Fault of a generation that failed before that.
 */
export async function streamReply(
  pipeline: Pipeline,
  generation: Generation,
): Promise<InferenceReply> {
  const starting = firstOutput(pipeline, generation);
  const isWaiting = await stillWaiting(starting, pipeline.limits.statusHeldMs);
  const { cancellation } = generation;
  const channel = new ByteChannel(cancellation.clientLeft);
  const onGone = () => channel.leave();
  if (cancellation.isClientGone) channel.leave();
  else generation.call.signal.addEventListener('abort', onGone, { once: true });
  const work = pump(pipeline, generation, { starting, channel, isWaiting }).finally(() =>
    generation.call.signal.removeEventListener('abort', onGone),
  );
  pipeline.running
    .track(work)
    .catch((error: unknown) =>
      pipeline.logger.error('a stream broke', { generationId: generation.id, error }),
    );
  return { status: 200, headers: sseHeaders, body: channel };
}

interface Pumping {
  readonly starting: Promise<Started>;
  readonly channel: ByteChannel;
  readonly isWaiting: boolean;
}

/** From the first event to `[DONE]`; usage is durable before the terminal event is written. */
async function pump(
  pipeline: Pipeline,
  generation: Generation,
  { starting, channel, isWaiting }: Pumping,
): Promise<void> {
  // Only what has been waited for already says which model it is.
  const first = isWaiting ? generation.plan.attempts[0] : (await starting).planned;
  const [opening, openingEvents] = openingOf(generation, first.model.id);
  const keepAlive = setInterval(() => channel.write(keepAliveBytes), pipeline.limits.keepAliveMs);
  const write = (bytes: Uint8Array) => {
    keepAlive.refresh();
    channel.write(bytes);
  };
  try {
    write(sseBytes(openingEvents));
    if (isWaiting) write(keepAliveBytes);
    const started = await starting.catch((error: unknown) => {
      write(failedBytes(pipeline, generation, opening, error));
      return undefined;
    });
    if (!started) return;
    const relayed = await relay(pipeline, generation, {
      started,
      opening,
      tell(events) {
        if (events.length > 0) write(sseBytes(events));
        return channel.room() && roomOrGone(pipeline, generation, channel);
      },
    });
    const [, terminal] = endResponse(relayed.state, relayed.settlement);
    write(Buffer.concat([sseBytes([...relayed.rest, ...terminal]), doneBytes]));
  } catch (error) {
    const { code, message } = faultOf(error);
    const text = catalog[code].http === 500 ? catalog[code].message : message;
    write(Buffer.concat([errorEventBytes({ code, message: text }, sequenceUnknown), doneBytes]));
    throw error;
  } finally {
    clearInterval(keepAlive);
    channel.end();
  }
}

/** An error event outside of the response has no place in its numbering. */
const sequenceUnknown = 0;

/** The status is out already, so all that failed is told inside the stream. */
function failedBytes(
  { clock }: Pick<Pipeline, 'clock'>,
  generation: Generation,
  opening: ResponseState,
  error: unknown,
): Uint8Array {
  const [failed, events] = advanceResponse(opening, failurePart(error));
  const completedAt = Math.floor(clock.now().getTime() / 1_000);
  const [, terminal] = endResponse(failed, {
    usage: undefined,
    completedAt,
    serviceMetadata: metadataOf(generation),
  });
  return Buffer.concat([sseBytes([...events, ...terminal]), doneBytes]);
}

/** A client that takes nothing for too long has left: its upstream is not held up by it. */
async function roomOrGone(
  { limits }: Pipeline,
  { cancellation }: Generation,
  channel: ByteChannel,
): Promise<void> {
  const timer = setTimeout(() => {
    cancellation.clientLeft();
    channel.leave();
  }, limits.clientStallMs);
  await channel.room();
  clearTimeout(timer);
}

/** True: neither output nor error within the time. Throws the error of a start that failed in time. */
async function stillWaiting(starting: Promise<unknown>, heldMs: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => resolve(true), heldMs);
  try {
    return await Promise.race([promise, starting.then(() => false)]);
  } finally {
    clearTimeout(timer);
  }
}
