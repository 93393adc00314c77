import { setTimeout as delay } from 'node:timers/promises';
import type { Instance } from '@sluice/acceptance/instance';
import { emptyTally, keepSending, type Probe, type Tally } from './load.ts';

const kinds = ['inference', 'questions', 'writes'] as const;
type Kind = (typeof kinds)[number];
export type Probes = Readonly<Record<Kind, readonly Probe[]>>;
export type Tallies = Readonly<Record<Kind, Tally>>;

const questionsPerSecond = 10;
const writesPerSecond = 1;
const openMax = 200;
const pollMs = 100;

/** Sends the probes of each kind at its rate while the work goes on. Resolves when all are answered. */
export async function underLoad(
  instance: Instance,
  probes: Probes,
  requestsPerSecond: number,
  work: (tallies: Tallies) => Promise<void>,
): Promise<Tallies> {
  const ending = new AbortController();
  const { signal } = ending;
  const tallies = { inference: emptyTally(), questions: emptyTally(), writes: emptyTally() };
  const rates = {
    inference: requestsPerSecond,
    questions: questionsPerSecond,
    writes: writesPerSecond,
  };
  const sending = kinds.map((kind) =>
    keepSending(instance, probes[kind], {
      perSecond: rates[kind],
      openMax,
      tally: tallies[kind],
      signal,
    }),
  );
  try {
    await work(tallies);
  } finally {
    ending.abort();
    await Promise.all(sending);
  }
  return tallies;
}

/** Resolves when each probe was answered so often: a machine that is slow takes longer, and shows as much. */
export async function untilSent(tallies: Tallies, probes: Probes, times: number): Promise<void> {
  while (kinds.some((kind) => tallies[kind].sent < probes[kind].length * times))
    await delay(pollMs);
}
