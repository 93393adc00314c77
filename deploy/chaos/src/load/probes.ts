import { setTimeout as delay } from 'node:timers/promises';
import type { Instance } from '@sluice/acceptance/instance';
import { eventually } from '@sluice/patience';
import { sendAtRate, type Sending } from './at-rate.ts';
import { type Answer, isBusy, reasonOf, type Request, send } from './http.ts';

/** A request that is sent again and again, and the statuses that are right for it. */
export interface Probe extends Request {
  readonly name: string;
  /** May include 503, but only with `Retry-After`. */
  readonly right: readonly number[];
}

export interface Tally {
  /** Number of requests that have ended. */
  sent: number;
  failed: number;
  /** Number of answers of a busy machine after which a request was sent again. */
  busy: number;
  slowestMs: number;
  /** The slowest request, and how many seconds after the first one it began. */
  slowest: string;
  /** Number of failures by request and answer. */
  readonly failures: Map<string, number>;
}

export const emptyTally = (): Tally => ({
  sent: 0,
  failed: 0,
  busy: 0,
  slowestMs: 0,
  slowest: '',
  failures: new Map(),
});

export interface ProbesOptions {
  readonly perSecond: number;
  readonly openMax: number;
  /** A request is sent again for so long after answers of a busy machine. The default is that it is not. */
  readonly repeatForMs?: number;
}

/** Probes that are being sent. */
export interface Probing extends Sending {
  /** Returns the counts since the last call. */
  tally(): Tally;
  /**
   * Waits until each probe was answered so often by requests that began after this call. A machine that is slow takes
   * longer. Throws when nothing is answered any more.
   */
  untilEach(times: number): Promise<void>;
}

const repeatPauseMs = 1_000;
const failuresMax = 50;

/** Sends the probes in turn at a rate, without waiting for earlier ones. */
export function startProbes(
  instance: Pick<Instance, 'bootstrap'>,
  probes: readonly Probe[],
  { perSecond, openMax, repeatForMs = 0 }: ProbesOptions,
): Probing {
  const startedMs = performance.now();
  let tally = emptyTally();
  let wait = { sinceMs: Infinity, counts: new Map<Probe, number>() };
  async function ask(probe: Probe, beganMs: number): Promise<Answer> {
    for (;;) {
      const answer = await send(instance, probe);
      const isOver = performance.now() - beganMs >= repeatForMs;
      if (isOver || isRight(probe, answer) || !isBusy(answer)) return answer;
      tally.busy++;
      await delay(repeatPauseMs);
    }
  }
  async function run(probe: Probe): Promise<void> {
    const beganMs = performance.now();
    const answer = await ask(probe, beganMs);
    count(tally, { probe, answer, beganMs, startedMs });
    if (beganMs >= wait.sinceMs) wait.counts.set(probe, (wait.counts.get(probe) ?? 0) + 1);
  }
  const rate = { perSecond: probes.length === 0 ? 0 : perSecond, openMax };
  const sending = sendAtRate(rate, (number) => run(probes[number % probes.length] as Probe));
  return {
    stop: () => sending.stop(),
    tally() {
      const counted = tally;
      tally = emptyTally();
      return counted;
    },
    async untilEach(times) {
      const counts = new Map<Probe, number>();
      wait = { sinceMs: performance.now(), counts };
      await eventually(() => {
        const open = probes.filter((probe) => (counts.get(probe) ?? 0) < times);
        const answered = [...counts.values()].reduce((sum, one) => sum + one, 0);
        if (open.length === 0) return;
        const names = open.map(({ name }) => name).join(', ');
        throw new Error(`after ${answered} answers none comes any more; open are ${names}`);
      });
    },
  };
}

interface Counted {
  readonly probe: Probe;
  readonly answer: Answer;
  readonly beganMs: number;
  readonly startedMs: number;
}

function count(tally: Tally, { probe, answer, beganMs, startedMs }: Counted): void {
  const tookMs = Math.round(performance.now() - beganMs);
  tally.sent++;
  if (tookMs > tally.slowestMs) {
    tally.slowestMs = tookMs;
    tally.slowest = `${probe.name}, ${Math.round((beganMs - startedMs) / 1_000)} s later`;
  }
  if (isRight(probe, answer)) return;
  tally.failed++;
  const failure = `${probe.name}: ${reasonOf(answer)}`;
  if (tally.failures.size < failuresMax || tally.failures.has(failure))
    tally.failures.set(failure, (tally.failures.get(failure) ?? 0) + 1);
}

/** A stream that has begun reports a failure as an event. */
function isRight({ right }: Probe, { status, retryAfter, text, broken }: Answer): boolean {
  if (!right.includes(status) || broken !== undefined) return false;
  if (status === 503) return retryAfter !== null;
  return !/^event: (error|response\.failed)$/m.test(text);
}
