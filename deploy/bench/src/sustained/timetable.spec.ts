import { ok } from 'node:assert/strict';
import { test } from 'vitest';
import { secondsMaxOf, timetableFor } from './timetable.ts';

test.each([
  [300, 21],
  [60, 7],
  [10, 4],
])('a rate for %i s is found and confirmed within %i min', (seconds, minutes) => {
  const secondsMax = secondsMaxOf(timetableFor(seconds, false), 2);
  ok(secondsMax <= minutes * 60, `${secondsMax} s`);
});
