import type { Check } from './checks.ts';

/** Returns the checks of sums that facts of one day give, with the rows of that day. All others need all facts. */
export function checksOfDay(checks: readonly Check[], day: string): readonly Check[] {
  const window = `window_kind = 'daily' AND window_start = '${day}'::timestamptz`;
  const ofFacts = 'true';
  const conditions = new Map([
    ['counters', window],
    ['suspended', window],
    ['corrections', ofFacts],
    ['activity', `day = '${day}'::date`],
    ['transfers', `entry_kind <> 'credit'`],
    ['fact log', ofFacts],
  ]);
  return checks.flatMap((check) => {
    const condition = conditions.get(check.name);
    if (condition === undefined) return [];
    const { expected, stored } = check;
    return [{ ...check, expected: within(expected, condition), stored: within(stored, condition) }];
  });
}

function within(rows: string, condition: string): string {
  return `SELECT * FROM (${rows}) AS every WHERE ${condition}`;
}
