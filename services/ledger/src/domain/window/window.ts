/** The windows that spend is counted in. UTC, half-open `[start, next start)`, no job resets them. */
export const windowKinds = ['lifetime', 'daily', 'weekly', 'monthly'] as const;
export type WindowKind = (typeof windowKinds)[number];
/** Requests to free models are counted per minute, too. */
export type CountedWindowKind = WindowKind | 'minute';

export interface Window<Kind extends CountedWindowKind = WindowKind> {
  readonly kind: Kind;
  readonly start: Date;
}

const minuteMs = 60_000;
const dayMs = 86_400_000;
/** 1 January 1970 was a Thursday: three days into its week. */
const daysIntoWeekAtZero = 3;

/** The one window of a kind that an instant lies in. A week starts on Monday. */
export function windowAt<Kind extends CountedWindowKind>(kind: Kind, instant: Date): Window<Kind> {
  return { kind, start: startOf(kind, instant) };
}

/** All four windows that an instant lies in. */
export function windowsAt(instant: Date): readonly Window[] {
  return windowKinds.map((kind) => windowAt(kind, instant));
}

/** The first instant that is not in the window any more; undefined: it never ends. */
export function windowEnd({ kind, start }: Window<CountedWindowKind>): Date | undefined {
  switch (kind) {
    case 'lifetime':
      return undefined;
    case 'minute':
      return new Date(start.getTime() + minuteMs);
    case 'daily':
      return new Date(start.getTime() + dayMs);
    case 'weekly':
      return new Date(start.getTime() + 7 * dayMs);
    case 'monthly':
      return new Date(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 1));
  }
}

function startOf(kind: CountedWindowKind, instant: Date): Date {
  const day = Math.floor(instant.getTime() / dayMs);
  switch (kind) {
    case 'lifetime':
      return new Date(0);
    case 'minute':
      return new Date(Math.floor(instant.getTime() / minuteMs) * minuteMs);
    case 'daily':
      return new Date(day * dayMs);
    case 'weekly':
      return new Date((day - modulo(day + daysIntoWeekAtZero, 7)) * dayMs);
    case 'monthly':
      return new Date(Date.UTC(instant.getUTCFullYear(), instant.getUTCMonth()));
  }
}

function modulo(value: number, divisor: number): number {
  return ((value % divisor) + divisor) % divisor;
}
