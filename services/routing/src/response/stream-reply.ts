import { type InferenceReply, failurePart } from '@sluice/inference';
import type { ResponseEvent } from '../dialects/responses/event.ts';
import {
  advanceResponse,
  endResponse,
  type ResponseState,
  tellDebugged,
} from '../dialects/responses/events.ts';
import { failureOf } from '../dialects/responses/outcome.ts';
import {
  doneBytes,
  errorEventBytes,
  keepAliveBytes,
  SseEncoder,
  sseHeaders,
} from '../dialects/responses/sse.ts';
import { firstOutput, type Started } from '../turn/attempts.ts';
import { ByteChannel } from './byte-channel.ts';
import type { Pipeline } from '../turn/deps.ts';
import { type Generation, metadataOf, nameOf, untold } from '../turn/generation.ts';
import { openingOf, relay } from '../turn/relay.ts';

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
  return { status: 200, headers: { ...sseHeaders, ...nameOf(generation) }, body: channel };
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
  const [opened, openingEvents] = openingOf(generation, first.model.id);
  const keepAlive = setInterval(() => channel.write(keepAliveBytes), pipeline.limits.keepAliveMs);
  const write = (bytes: Uint8Array) => {
    keepAlive.refresh();
    channel.write(bytes);
  };
  const encoder = new SseEncoder();
  let told = 0;
  const tell = (events: readonly ResponseEvent[], isLast = false) => {
    told += events.length;
    const bytes = encoder.bytes(events);
    write(isLast ? Buffer.concat([bytes, doneBytes]) : bytes);
  };
  try {
    tell(openingEvents);
    if (isWaiting) write(keepAliveBytes);
    const started = await starting.catch((error: unknown) => {
      tell(failedEvents(pipeline, generation, opened, error), true);
      return undefined;
    });
    if (!started) return;
    const [opening, debugged] = tellDebugged(opened, untold(generation));
    if (debugged.length > 0) tell(debugged);
    const relayed = await relay(pipeline, generation, {
      started,
      opening,
      tell(events) {
        if (events.length > 0) tell(events);
        return channel.room() && roomOrGone(pipeline, generation, channel);
      },
    });
    const [, terminal] = endResponse(relayed.state, relayed.settlement);
    tell([...relayed.rest, ...terminal], true);
  } catch (error) {
    write(Buffer.concat([errorEventBytes(failureOf(failurePart(error)), told), doneBytes]));
    throw error;
  } finally {
    clearInterval(keepAlive);
    channel.end();
  }
}

/** The status is out already, so all that failed is told inside the stream. */
function failedEvents(
  { clock }: Pick<Pipeline, 'clock'>,
  generation: Generation,
  opened: ResponseState,
  error: unknown,
): readonly ResponseEvent[] {
  const [opening, debugged] = tellDebugged(opened, untold(generation));
  const [failed, events] = advanceResponse(opening, failurePart(error));
  const completedAt = Math.floor(clock.now().getTime() / 1_000);
  const [, terminal] = endResponse(failed, {
    usage: undefined,
    completedAt,
    serviceMetadata: metadataOf(generation),
  });
  return [...debugged, ...events, ...terminal];
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
