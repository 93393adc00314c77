import { deepEqual, equal } from 'node:assert/strict';
import fc from 'fast-check';
import { describe, test } from 'vitest';
import { durableEvidence, frameBytes, readFrame, writeFrame } from './frame.ts';

const seed = 7;
const encoded = (payload: Uint8Array, sequence = 5n, durable = 4n) => {
  const buffer = Buffer.alloc(frameBytes(payload.length));
  equal(writeFrame(buffer, 0, seed, { sequence, durable, payload }), buffer.length);
  return buffer;
};

describe('a frame', () => {
  test('gives back what was written', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 200 }),
        fc.bigInt(1n, 2n ** 64n - 1n),
        (payload, n) => {
          const frame = readFrame(encoded(payload, n, n - 1n), 0, seed);
          deepEqual(typeof frame === 'object' && { ...frame, payload: [...frame.payload] }, {
            sequence: n,
            durable: n - 1n,
            payload: [...payload],
            bytes: frameBytes(payload.length),
          });
        },
      ),
    );
  });

  test('is damaged when any one of its bits is another', () => {
    const good = encoded(Buffer.from('usage'));
    const significantBits = (24 + 5) * 8;
    for (let bit = 0; bit < significantBits; bit++) {
      const bad = Buffer.from(good);
      bad.writeUInt8(bad.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
      equal(readFrame(bad, 0, seed), 'damaged', `bit ${bit}`);
    }
  });

  test('is damaged when it is cut anywhere', () => {
    const good = encoded(Buffer.from('usage'));
    for (let length = 1; length < 24 + 5; length++)
      equal(readFrame(good.subarray(0, length), 0, seed), 'damaged', `${length} bytes`);
  });

  test('of another segment is damaged here', () => {
    equal(readFrame(encoded(Buffer.from('usage')), 0, seed + 1), 'damaged');
  });

  test('was never written where all is zero', () => {
    equal(readFrame(Buffer.alloc(64), 0, seed), 'unwritten');
    equal(readFrame(Buffer.alloc(0), 0, seed), 'unwritten');
  });
});

describe('the evidence of what was on disk', () => {
  test('is the highest of all good frames, wherever they are', () => {
    const rubbish = Buffer.alloc(48, 0xa5);
    const log = Buffer.concat([
      rubbish,
      encoded(Buffer.from('a'), 9n, 8n),
      rubbish,
      encoded(Buffer.alloc(0), 12n, 12n),
    ]);
    equal(durableEvidence(log, 0, seed), 12n);
    equal(durableEvidence(rubbish, 0, seed), 0n);
  });
});
