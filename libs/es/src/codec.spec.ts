import { deepEqual, throws } from 'node:assert/strict';
import { Type } from 'typebox';
import { describe, test } from 'vitest';
import { eventCodec } from './index.ts';

const person = {
  category: 'person',
  id: '<id>',
  description: 'For the spec.',
  events: { Named: Type.Object({ first: Type.String(), last: Type.String() }) },
};
const codec = eventCodec(person, {
  Named: [
    ({ name, ...rest }) => ({ ...rest, fullName: name }),
    ({ fullName }) => {
      const [first = '', last = ''] = String(fullName).split(' ');
      return { first, last };
    },
  ],
});
const stored = (schemaVersion: unknown, data: unknown, type = 'Named') => ({
  id: 'e1',
  stream: 'person-1',
  type,
  data,
  metadata: { schemaVersion },
});

describe('reading an event', () => {
  test('brings every older version to today’s shape', () => {
    const today = { type: 'Named', data: { first: 'Ada', last: 'L' } };
    deepEqual(codec.decode(stored(1, { name: 'Ada L' })), today);
    deepEqual(codec.decode(stored(2, { fullName: 'Ada L' })), today);
    deepEqual(codec.decode(stored(3, { first: 'Ada', last: 'L' })), today);
  });

  test('refuses what it cannot know, and names the event', () => {
    throws(() => codec.decode(stored(4, {})), /event e1 \(Named\) of person-1.*newer than 3/);
    throws(() => codec.decode(stored(1, {}, 'Renamed')), /unknown type/);
    throws(() => codec.decode(stored(1, {}, 'constructor')), /unknown type/);
    throws(() => codec.decode(stored(undefined, {})), /no schemaVersion/);
    throws(() => codec.decode(stored(3, 'text')), /not an object/);
  });
});
