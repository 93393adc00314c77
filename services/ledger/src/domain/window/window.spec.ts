import { deepEqual, equal, ok } from 'node:assert/strict';
import fc from 'fast-check';
import { describe, test } from 'vitest';
import { windowAt, windowEnd, type WindowKind, windowKinds, windowsAt } from './window.ts';

const startOf = (kind: WindowKind, instant: string) =>
  windowAt(kind, new Date(instant)).start.toISOString();
const endOf = (kind: WindowKind, instant: string) =>
  windowEnd(windowAt(kind, new Date(instant)))?.toISOString();

describe('a day', () => {
  test('starts at midnight UTC and does not include the next midnight', () => {
    equal(startOf('daily', '2026-03-01T00:00:00.000Z'), '2026-03-01T00:00:00.000Z');
    equal(startOf('daily', '2026-03-01T23:59:59.999Z'), '2026-03-01T00:00:00.000Z');
    equal(startOf('daily', '2026-03-02T00:00:00.000Z'), '2026-03-02T00:00:00.000Z');
    equal(endOf('daily', '2026-12-31T12:00:00.000Z'), '2027-01-01T00:00:00.000Z');
  });
});

test('a minute starts at its first second and does not include the next one', () => {
  const { kind, start } = windowAt('minute', new Date('2026-11-18T23:59:59.999Z'));
  equal(start.toISOString(), '2026-11-18T23:59:00.000Z');
  equal(windowEnd({ kind, start })?.toISOString(), '2026-11-19T00:00:00.000Z');
});

describe('a week', () => {
  test.each([
    ['a Monday', '2026-11-16T00:00:00.000Z', '2026-11-16T00:00:00.000Z'],
    ['the Sunday after it', '2026-11-22T23:59:59.999Z', '2026-11-16T00:00:00.000Z'],
    ['the next Monday', '2026-11-23T00:00:00.000Z', '2026-11-23T00:00:00.000Z'],
    ['a week over the end of a year', '2027-01-01T08:00:00.000Z', '2026-12-28T00:00:00.000Z'],
    ['a leap day', '2028-02-29T12:00:00.000Z', '2028-02-28T00:00:00.000Z'],
    ['before 1970', '1969-12-31T23:00:00.000Z', '1969-12-29T00:00:00.000Z'],
  ])('starts on Monday: %s', (_case, instant, start) => equal(startOf('weekly', instant), start));
});

describe('a month', () => {
  test.each([
    ['the last instant of January', '2026-01-31T23:59:59.999Z', '2026-01-01T00:00:00.000Z'],
    ['the first instant of February', '2026-02-01T00:00:00.000Z', '2026-02-01T00:00:00.000Z'],
    ['a leap day', '2028-02-29T23:59:59.999Z', '2028-02-01T00:00:00.000Z'],
    ['the last of December', '2026-12-31T23:59:59.999Z', '2026-12-01T00:00:00.000Z'],
  ])('starts on its first day: %s', (_case, instant, start) =>
    equal(startOf('monthly', instant), start),
  );

  test('ends where the next begins, however long it is', () => {
    equal(endOf('monthly', '2026-01-31T12:00:00.000Z'), '2026-02-01T00:00:00.000Z');
    equal(endOf('monthly', '2026-02-10T12:00:00.000Z'), '2026-03-01T00:00:00.000Z');
    equal(endOf('monthly', '2028-02-10T12:00:00.000Z'), '2028-03-01T00:00:00.000Z');
    equal(endOf('monthly', '2026-12-10T12:00:00.000Z'), '2027-01-01T00:00:00.000Z');
  });
});

describe('the lifetime', () => {
  test('is one window that never ends', () => {
    equal(
      startOf('lifetime', '2026-02-01T00:00:00.000Z'),
      startOf('lifetime', '2031-02-01T00:00:00.000Z'),
    );
    equal(endOf('lifetime', '2026-02-01T00:00:00.000Z'), undefined);
  });
});

describe('any instant', () => {
  const instants = fc.date({
    min: new Date('1990-01-01T00:00:00Z'),
    max: new Date('2100-01-01T00:00:00Z'),
    noInvalidDate: true,
  });

  test('lies in its own windows, and the instant before a start does not', () => {
    fc.assert(
      fc.property(instants, (instant) => {
        deepEqual(
          windowsAt(instant).map(({ kind }) => kind),
          windowKinds,
        );
        for (const window of windowsAt(instant)) {
          const end = windowEnd(window);
          ok(window.start <= instant && (!end || instant < end));
          deepEqual(windowAt(window.kind, window.start), window);
          if (!end) continue;
          deepEqual(windowAt(window.kind, end).start, end);
          deepEqual(windowAt(window.kind, new Date(end.getTime() - 1)), window);
        }
      }),
    );
  });
});
