import { deepEqual, equal } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { streamedAnswer } from '../upstream/answers.ts';
import { responsesDoor } from '../../subjects/door.ts';
import { DeltaCounter, faultOf } from './expectation.ts';

const { deltaMark } = responsesDoor;

describe('the deltas of a stream', () => {
  test('are counted once each, however the bytes are cut', () => {
    const bytes = Buffer.concat(streamedAnswer(7));
    for (let pieceBytes = 1; pieceBytes < 400; pieceBytes += 1) {
      const counter = new DeltaCounter(deltaMark);
      for (let at = 0; at < bytes.length; at += pieceBytes)
        counter.read(bytes.subarray(at, at + pieceBytes));
      equal(counter.count, 7, `in pieces of ${pieceBytes}`);
    }
  });

  test('of one answer are not those of the next', () => {
    const counter = new DeltaCounter(deltaMark);
    counter.read(Buffer.from('"delta":"a" "del'));
    counter.reset();
    counter.read(Buffer.from('ta":"b"'));
    equal(counter.count, 0);
  });
});

describe('an answer', () => {
  const expected = { bodyBytesMin: 100, bodyBytesMax: 120, deltas: 3, deltaMark };
  const right = { status: 200, bodyBytes: 110, deltas: 3, excerpt: '' };
  test('counts when its status, its size and its deltas are as expected, and says else what is not', () => {
    deepEqual(
      [
        right,
        { ...right, status: 503 },
        { ...right, bodyBytes: 99 },
        { ...right, bodyBytes: 121 },
        { ...right, deltas: 2 },
      ].map((seen) => faultOf(seen, expected)),
      [undefined, 'status 503', 'too short', 'too long', 'deltas are missing'],
    );
  });

  test('that is an error is told by its message, the same for all of its kind', () => {
    const faults = [17, 4].map((seconds) =>
      faultOf(
        {
          ...right,
          status: 503,
          excerpt: `{"error":{"code":503,"message":"Busy for ${seconds} s"}}`,
        },
        expected,
      ),
    );
    deepEqual(faults, ['status 503: Busy for # s', 'status 503: Busy for # s']);
  });
});
