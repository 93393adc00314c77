/** The window that a limit counts over. null: for ever. */
export type Interval = 'daily' | 'weekly' | 'monthly' | null;

/** The window that a budget counts over. No money limit counts over minutes. */
export type BudgetInterval = Interval | 'minute';

/** A half-open span of UTC days: `[firstDay, endDay)`, in days since 1970-01-01. */
export interface SpendWindow {
  readonly firstDay: number;
  readonly endDay: number;
}

const minuteMs = 60_000;
const dayMs = 86_400_000;
/** 1970-01-01 was a Thursday; weeks begin on Monday. */
const mondayOffsetDays = 3;

export function dayOf(at: Date): number {
  return Math.floor(at.getTime() / dayMs);
}

/** The instant at which a day begins, UTC. */
export function startOfDay(day: number): Date {
  return new Date(day * dayMs);
}

/** The window of an interval that holds an instant. Arithmetic only: nothing has to reset anything. */
export function windowOf(interval: Interval, at: Date): SpendWindow {
  const day = dayOf(at);
  switch (interval) {
    case null:
      return { firstDay: -Infinity, endDay: Infinity };
    case 'daily':
      return { firstDay: day, endDay: day + 1 };
    case 'weekly': {
      const weekday = (((day + mondayOffsetDays) % 7) + 7) % 7;
      return { firstDay: day - weekday, endDay: day - weekday + 7 };
    }
    case 'monthly': {
      const [year, month] = [at.getUTCFullYear(), at.getUTCMonth()];
      return {
        firstDay: Date.UTC(year, month, 1) / dayMs,
        endDay: Date.UTC(year, month + 1, 1) / dayMs,
      };
    }
  }
}

/** The window of a budget that holds an instant, in Unix milliseconds; without an end: it never ends. */
export function budgetWindowOf(
  interval: BudgetInterval,
  at: Date,
): { readonly startMs: number; readonly endMs: number | undefined } {
  if (interval === null) return { startMs: 0, endMs: undefined };
  if (interval === 'minute') {
    const startMs = Math.floor(at.getTime() / minuteMs) * minuteMs;
    return { startMs, endMs: startMs + minuteMs };
  }
  const { firstDay, endDay } = windowOf(interval, at);
  return { startMs: firstDay * dayMs, endMs: endDay * dayMs };
}
