import { type Measure, measured } from '../measure.ts';
import type { Timings } from '../timings.ts';

/** The state of the account. */
export interface Size {
  readonly keys: number;
  readonly guardrails: number;
}

/** The measurements at one size of the state. */
export interface Step extends Size {
  /** Events that this step added, and the time from the start until all read models showed them. */
  readonly catchUp: { readonly events: number; readonly tookMs: number };
  readonly startMs: number;
  readonly residentBytes: number;
  readonly warm: Timings;
  readonly cold: Timings;
  readonly list: Timings;
}

const mebibyte = 1024 * 1024;

/** The rows of a step, its times as multiples of those of the first one. */
export function measuresOf(step: Step, first: Step): readonly Measure[] {
  const count = (number: number) => number.toLocaleString('en');
  const nameOf = ({ keys, guardrails }: Size) =>
    `${count(keys)} keys${guardrails > 0 ? `, ${count(guardrails)} guardrails` : ''}`;
  const what = nameOf(step);
  const { events, tookMs } = step.catchUp;
  const perSecond = count(Math.round((events * 1_000) / tookMs));
  const timed = (name: string, figure: 'warm' | 'cold' | 'list') => {
    const { p50Ms, p99Ms } = step[figure];
    const ratio = (p50Ms / first[figure].p50Ms).toFixed(2);
    const note = `p99 ${p99Ms.toFixed(2)} ms; ${ratio} × that of ${nameOf(first)}`;
    return measured(`${what}: ${name}, p50`, p50Ms, 'ms', { note });
  };
  return [
    timed('a response, the key is known', 'warm'),
    timed('a response, the key is not known', 'cold'),
    timed('GET /keys, the newest 100', 'list'),
    measured(`${what}: from start to ready`, step.startMs / 1_000, 's'),
    measured(`${what}: resident memory`, step.residentBytes / mebibyte, 'MiB', {
      note: 'all services and the event store in one process, without PostgreSQL and NATS',
    }),
    measured(`${what}: every projection shows what is new after`, tookMs / 1_000, 's', {
      note: `${count(events)} events, ${perSecond}/s through all of them, with the start`,
    }),
  ];
}
