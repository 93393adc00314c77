import type { EventStore } from '@sluice/es';
import { eventually } from '@sluice/patience';
import { type LogEvent, streamPrefixes } from './read-log.ts';

const streamsMax = 300;

/** Starts a consumer that stays subscribed. It must receive each event of the log exactly once. */
export function startWitness(store: Pick<EventStore, 'subscribe'>) {
  const seen: LogEvent[] = [];
  const ending = new AbortController();
  const running = (async () => {
    const { signal } = ending;
    for await (const batch of store.subscribe({ after: 'start', streamPrefixes, signal }))
      for (const message of batch)
        if (message.kind === 'event') seen.push(message.event as LogEvent);
  })();
  running.catch(() => undefined);
  return {
    /** Returns a sentence if it was given anything else than the log. */
    async audit(log: readonly LogEvent[]): Promise<readonly string[]> {
      await eventually(() => {
        if (seen.length < log.length) throw new Error(`${seen.length} events of ${log.length}`);
      }).catch(() => undefined);
      return compareEvents('a subscription that was never given up', log, seen);
    },
    async [Symbol.asyncDispose]() {
      ending.abort();
      await running.catch(() => undefined);
    },
  };
}

/** Checks that reading each of the longest streams returns the events that the log holds of it. */
export async function auditStreams(
  store: Pick<EventStore, 'read'>,
  log: readonly LogEvent[],
): Promise<readonly string[]> {
  const findings: string[] = [];
  const streams = [...Map.groupBy(log, ({ stream }) => stream)];
  const longestFirst = streams.toSorted(([, one], [, other]) => other.length - one.length);
  for (const [stream, events] of longestFirst.slice(0, streamsMax)) {
    const found = await Array.fromAsync(store.read(stream));
    findings.push(...compareEvents(stream, events, found as readonly LogEvent[]));
  }
  return findings;
}

function compareEvents(
  what: string,
  expected: readonly LogEvent[],
  found: readonly LogEvent[],
): readonly string[] {
  if (found.length !== expected.length)
    return [`${what} gave ${found.length} events of ${expected.length}`];
  const index = found.findIndex((event, at) => contentOf(event) !== contentOf(expected[at]));
  return index < 0 ? [] : [`${what} gave another event than the log has, as number ${index}`];
}

function contentOf(event: LogEvent | undefined): string {
  if (!event) return '';
  const { id, type, stream, revision, data, metadata } = event;
  return JSON.stringify([id, type, stream, String(revision), data, metadata]);
}
