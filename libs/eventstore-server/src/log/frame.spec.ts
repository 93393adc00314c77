import { deepEqual, equal, ok } from 'node:assert/strict';
import fc from 'fast-check';
import { describe, test } from 'vitest';
import {
  encodeAppend,
  encodeMark,
  frameAt,
  recordAt,
  sealFrame,
  summarize,
  type AppendFrame,
} from './frame.ts';

const bytes = (maxLength: number) =>
  fc.uint8Array({ maxLength }).map((array) => Buffer.from(array));

const anAppend: fc.Arbitrary<AppendFrame> = fc.record({
  kind: fc.constantFrom('append' as const, 'tombstone' as const),
  stream: fc.string({ minLength: 1, maxLength: 40, unit: 'grapheme' }),
  firstRevision: fc.nat(),
  createdMs: fc.nat({ max: 4e12 }),
  events: fc.array(
    fc.record({
      id: fc.uint8Array({ minLength: 16, maxLength: 16 }).map((array) => Buffer.from(array)),
      type: fc.string({ minLength: 1, maxLength: 30, unit: 'grapheme' }),
      json: fc.boolean(),
      metadata: bytes(50),
      data: bytes(200),
    }),
    { minLength: 1, maxLength: 5 },
  ),
});

const position = 4_711;

function sealed(append: AppendFrame): Buffer {
  const frame = encodeAppend(append).bytes;
  sealFrame(frame, position, 17);
  return frame;
}

describe('a frame', () => {
  test('gives back the append that it was made from', () => {
    fc.assert(
      fc.property(anAppend, bytes(30), (append, before) => {
        const disk = Buffer.concat([before, sealed(append), Buffer.from('rest')]);
        const frame = frameAt(disk, before.length, position);
        ok(frame);
        equal(frame.durablePosition, 17);
        const summary = summarize(frame.bytes);
        ok(summary);
        const { recordOffsets, ...head } = summary;
        const { events, ...expected } = append;
        deepEqual(head, expected);
        const records = recordOffsets.map((offset) => recordAt(frame.bytes, offset));
        deepEqual(
          records.map((record) => ({ ...record, recordBytes: 0 })),
          events.map((event) => ({ ...event, recordBytes: 0 })),
        );
      }),
    );
  });

  test('is none when any bit of it was changed, or when its end is missing', () => {
    fc.assert(
      fc.property(anAppend, fc.nat(), fc.nat({ max: 7 }), fc.nat(), (append, at, bit, end) => {
        const frame = sealed(append);
        equal(frameAt(frame.subarray(0, end % frame.length), 0, position), undefined);
        const changed = at % frame.length;
        frame[changed] = (frame[changed] ?? 0) ^ (1 << bit);
        equal(frameAt(frame, 0, position), undefined);
      }),
    );
  });

  test('is none at another place, so that a copy inside a payload is not taken for one', () => {
    fc.assert(
      fc.property(anAppend, fc.nat({ max: 2 ** 40 }), (append, elsewhere) => {
        fc.pre(elsewhere !== position);
        equal(frameAt(sealed(append), 0, elsewhere), undefined);
      }),
    );
  });

  test('that is a mark holds no events', () => {
    const { bytes: mark } = encodeMark();
    sealFrame(mark, position, position);
    const frame = frameAt(mark, 0, position);
    ok(frame);
    equal(summarize(frame.bytes), undefined);
  });
});

describe('a record', () => {
  test('is none when its bytes were changed', () => {
    fc.assert(
      fc.property(anAppend, fc.nat(), (append, at) => {
        const { bytes: frame, recordOffsets } = encodeAppend(append);
        const start = recordOffsets[0] ?? 0;
        const record = frame.subarray(start, recordOffsets[1]);
        const changed = at % record.length;
        record[changed] = (record[changed] ?? 0) ^ 1;
        equal(recordAt(record, 0), undefined);
      }),
    );
  });
});
