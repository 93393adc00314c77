import { setTimeout as delay } from 'node:timers/promises';
import type { EventStore, RecordedEvent } from '@sluice/es';
import type { Witness } from '../witness.ts';

const caughtUpTimeoutMs = 240_000;
const pollMs = 20;
const streamsMax = 300;

/** A subscription that lived through everything was given the log: no gap, nothing twice. */
export async function auditWitness(
  { seen }: Pick<Witness, 'seen'>,
  log: readonly RecordedEvent[],
): Promise<readonly string[]> {
  const deadlineMs = performance.now() + caughtUpTimeoutMs;
  while (seen.length < log.length && performance.now() < deadlineMs) await delay(pollMs);
  return compareEvents('a subscription that was never given up', log, seen);
}

/** Checks that reading each stream returns the events that the log holds of it. */
export async function auditStreams(
  store: Pick<EventStore, 'read'>,
  log: readonly RecordedEvent[],
): Promise<readonly string[]> {
  const findings: string[] = [];
  const streams = Map.groupBy(log, ({ stream }) => stream);
  const longestFirst = [...streams].toSorted(([, one], [, other]) => other.length - one.length);
  for (const [stream, events] of longestFirst.slice(0, streamsMax))
    findings.push(...compareEvents(stream, events, await Array.fromAsync(store.read(stream))));
  return findings;
}

function compareEvents(
  what: string,
  expected: readonly RecordedEvent[],
  found: readonly RecordedEvent[],
): readonly string[] {
  if (found.length !== expected.length)
    return [`${what} gave ${found.length} events of ${expected.length}`];
  const index = found.findIndex((event, at) => contentOf(event) !== contentOf(expected[at]));
  return index < 0 ? [] : [`${what} gave another event than the log has, as number ${index}`];
}

function contentOf(event: RecordedEvent | undefined): string {
  if (!event) return '';
  const { id, type, stream, revision, data, metadata } = event;
  return JSON.stringify([id, type, stream, String(revision), data, metadata]);
}
