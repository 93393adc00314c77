import { equal, throws } from 'node:assert/strict';
import fc from 'fast-check';
import { describe, test } from 'vitest';
import { instantText } from './instant-text.ts';

const instants = fc.date({ noInvalidDate: true });
const soonAfter = fc.nat({ max: 3_000 });

describe('the text of an instant', () => {
  test('is that of its date, also when one of the same second was asked for before', () => {
    fc.assert(
      fc.property(instants, soonAfter, (instant, laterMs) => {
        const later = new Date(Math.min(8.64e15, instant.getTime() + laterMs));
        equal(instantText(instant), instant.toISOString());
        equal(instantText(later), later.toISOString());
      }),
    );
  });

  test('is none where there is no instant', () => {
    throws(() => instantText(new Date(Number.NaN)), RangeError);
  });
});
