import { deepEqual } from 'node:assert/strict';
import { systemIds } from '@sluice/clock-and-ids';
import { describe, test } from 'vitest';
import { admissionRange, anyAdmission } from './admission-range.ts';

/** 2026-11-18T12:00:00.000Z and a day later. */
const noon = 'gen-01a1ee87-3200-7abc-8123-0123456789ab';
const next = 'gen-01a1f3ad-8e00-7abc-8123-0123456789ab';

describe('the time of admission that ids tell', () => {
  test('is that of their making, a day more to both sides', () => {
    deepEqual(admissionRange([`${noon}/1/1`]), {
      from: '2026-11-17T12:00:00.000Z',
      to: '2026-11-19T12:00:00.000Z',
    });
    deepEqual(admissionRange([`${next}/tool/1`, `${noon}/1/2`]), {
      from: '2026-11-17T12:00:00.000Z',
      to: '2026-11-20T12:00:00.000Z',
    });
  });

  test('is the present for an id that was made now', () => {
    const before = Date.now();
    const { from, to } = admissionRange([`gen-${systemIds.next()}/1/1`]);
    const dayMs = 86_400_000;
    deepEqual(
      [Date.parse(from) + dayMs >= before, Date.parse(to) - dayMs <= Date.now() + 1_000],
      [true, true],
    );
  });

  test('is any time if one of them does not tell it', () => {
    for (const other of [
      'gen-7/1/1',
      `${noon.replace('-7', '-4')}/1/1`,
      'gen-ffffffff-ffff-7abc-8123-0/1/1',
    ])
      deepEqual(admissionRange([`${noon}/1/1`, other]), anyAdmission);
    deepEqual(admissionRange([]), anyAdmission);
  });
});
