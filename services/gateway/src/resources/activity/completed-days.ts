const dayMs = 86_400_000;
const dayLength = '2026-11-18'.length;
/** The number of days that activity covers. */
const completedDays = 30;

export interface DayRange {
  readonly fromDay: string;
  readonly toDay: string;
}

/** The UTC days that can be asked for: the last 30 that are over. */
export function lastCompletedDays(now: Date): DayRange {
  return { fromDay: dayBefore(now, completedDays), toDay: dayBefore(now, 1) };
}

function dayBefore(now: Date, days: number): string {
  return new Date(now.getTime() - days * dayMs).toISOString().slice(0, dayLength);
}
