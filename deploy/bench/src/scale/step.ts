import type { Timings } from '../timings.ts';
import type { Measure } from '../measure.ts';

/** The measurements at one size of the state. */
export interface Step {
  readonly keys: number;
  readonly guardrails: number;
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
  const nameOf = ({ keys, guardrails }: Step) =>
    `${count(keys)} keys${guardrails > 0 ? `, ${count(guardrails)} guardrails` : ''}`;
  const what = nameOf(step);
  const { events, tookMs } = step.catchUp;
  const perSecond = Math.round((events * 1_000) / tookMs);
  const ratio = (timings: Timings, before: Timings) => (timings.p50Ms / before.p50Ms).toFixed(2);
  const timed = (name: string, timings: Timings, before: Timings): Measure => ({
    name: `${what}: ${name}, p50`,
    value: timings.p50Ms,
    unit: 'ms',
    note: `p99 ${timings.p99Ms.toFixed(2)} ms; ${ratio(timings, before)} × that of ${nameOf(first)}`,
  });
  return [
    timed('a response, the key is known', step.warm, first.warm),
    timed('a response, the key is not known', step.cold, first.cold),
    timed('GET /keys, the newest 100', step.list, first.list),
    { name: `${what}: from start to ready`, value: step.startMs / 1_000, unit: 's' },
    {
      name: `${what}: resident memory`,
      value: step.residentBytes / mebibyte,
      unit: 'MiB',
      note: 'all services and the event store in one process, without PostgreSQL and NATS',
    },
    {
      name: `${what}: every projection shows what is new after`,
      value: tookMs / 1_000,
      unit: 's',
      note: `${count(events)} events, ${count(perSecond)}/s through all of them, with the start`,
    },
  ];
}
