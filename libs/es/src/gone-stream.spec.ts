import { equal } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { goneStreamOf } from './index.ts';

const softDeleted: unknown = JSON.parse('{"$tb":9223372036854775807}');

describe('the stream that an event takes out of the log', () => {
  test.each([
    ['a tombstone', 'thing-1', '$streamDeleted', {}, 'thing-1'],
    ['a deletion', '$$thing-1', '$metadata', softDeleted, 'thing-1'],
    ['a cut', '$$thing-1', '$metadata', { $tb: 1 }, 'thing-1'],
    ['a number of events to keep', '$$thing-1', '$metadata', { $maxCount: 1 }, 'thing-1'],
    ['an age of events to keep', '$$thing-1', '$metadata', { $maxAge: 60 }, 'thing-1'],
    ['a cut with more metadata', '$$thing-1', '$metadata', { $tb: 2, $acl: {}, a: 1 }, 'thing-1'],
    ['metadata in an event of any type', '$$thing-1', 'Whatever', { $tb: 1 }, 'thing-1'],
    ['a cut before the first event', '$$thing-1', '$metadata', { $tb: 0 }, undefined],
    ['an ACL', '$$thing-1', '$metadata', { $acl: { $r: 'ops' } }, undefined],
    ['no metadata', '$$thing-1', '$metadata', {}, undefined],
    ['a fraction', '$$thing-1', '$metadata', { $tb: 1.5 }, undefined],
    ['a text', '$$thing-1', '$metadata', { $tb: '1' }, undefined],
    ['null', '$$thing-1', '$metadata', { $maxCount: null }, undefined],
    ['a count of 0', '$$thing-1', '$metadata', { $maxCount: 0 }, undefined],
    ['a negative cut', '$$thing-1', '$metadata', { $tb: -1 }, undefined],
    ['a cut beside a wrong field', '$$thing-1', '$metadata', { $tb: 1, $maxAge: 'x' }, undefined],
    ['a list', '$$thing-1', '$metadata', [1], undefined],
    ['what is no JSON', '$$thing-1', '$metadata', '{"$tb":', undefined],
    ['nothing', '$$thing-1', '$metadata', null, undefined],
    ['such data in the stream itself', 'thing-1', '$metadata', { $tb: 1 }, undefined],
    ['an event of ours', 'thing-1', 'Noted', { $tb: 1 }, undefined],
  ])('%s', (_name, stream, type, data, gone) => {
    equal(goneStreamOf({ stream, type, data }), gone);
  });
});
