import { setTimeout as delay } from 'node:timers/promises';
import type { EventStore } from '@sluice/es';
import { connectEventStore } from '@sluice/eventstore';
import { percentile } from '../percentile.ts';
import { anEvent } from './log-work.ts';

export interface Live {
  /** From the call of append until the subscriber has the event. */
  readonly fromCallP50Ms: number;
  readonly fromCallP99Ms: number;
  /** From the answer of append; below 0 when the subscriber was faster than the answer. */
  readonly fromAnswerP50Ms: number;
}

const events = 1_000;
const warmUpEvents = 200;
const pauseMs = 4;
const stream = 'benchLive-1';

/** One append at a time, every few milliseconds, and a live subscriber on another connection. */
export async function measureLive(url: string): Promise<Live> {
  const [writer, reader] = [await connectEventStore({ url }), await connectEventStore({ url })];
  const ending = new AbortController();
  const delivered = new Map<string, number>();
  const live = Promise.withResolvers<void>();
  const reading = readLive(reader, ending.signal, delivered, live.resolve);
  await live.promise;
  const fromCall: number[] = [];
  const fromAnswer: number[] = [];
  for (let index = 0; index < warmUpEvents + events; index++) {
    const event = anEvent();
    const calledMs = performance.now();
    await writer.append(stream, [event], 'any');
    const answeredMs = performance.now();
    await delay(pauseMs);
    const deliveredMs = delivered.get(event.id) ?? Number.POSITIVE_INFINITY;
    if (index < warmUpEvents) continue;
    fromCall.push(deliveredMs - calledMs);
    fromAnswer.push(deliveredMs - answeredMs);
  }
  ending.abort();
  await reading;
  await Promise.all([writer.stop(), reader.stop()]);
  return {
    fromCallP50Ms: percentile(fromCall, 0.5),
    fromCallP99Ms: percentile(fromCall, 0.99),
    fromAnswerP50Ms: percentile(fromAnswer, 0.5),
  };
}

async function readLive(
  store: Pick<EventStore, 'subscribe'>,
  signal: AbortSignal,
  delivered: Map<string, number>,
  onLive: () => void,
): Promise<void> {
  const streamPrefixes = [stream];
  for await (const batch of store.subscribe({ after: 'start', streamPrefixes, signal }))
    for (const message of batch) {
      if (message.kind === 'caught_up') onLive();
      if (message.kind === 'event') delivered.set(message.event.id, performance.now());
    }
}
