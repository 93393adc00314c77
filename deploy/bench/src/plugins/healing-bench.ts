import { damaged, damages, healJson } from '@sluice/routing/testing';
import { type Measure, measured } from '../measure.ts';
import { percentile } from '../percentile.ts';
import { processorMsOf } from './processor-time.ts';

const characters = 100_000;
const runs = { runs: 20, warmUps: 5 };

const person = {
  type: 'object',
  properties: {
    id: { type: 'integer' },
    name: { type: 'string' },
    age: { type: 'integer' },
    isActive: { type: 'boolean' },
    tags: { type: 'array', items: { type: 'string' } },
    note: { type: ['string', 'null'] },
    address: {
      type: 'object',
      properties: { street: { type: 'string' }, city: { type: 'string' } },
      required: ['street', 'city'],
      additionalProperties: false,
    },
  },
  required: ['id', 'name', 'age', 'isActive', 'tags', 'note', 'address'],
  additionalProperties: false,
};
const schema = {
  type: 'object',
  properties: { people: { type: 'array', items: person } },
  required: ['people'],
  additionalProperties: false,
};

/** Measures the repair of an answer of 100 KB with a strict schema, once for each kind of damage. */
export function measureHealing(): readonly Measure[] {
  const value = { people: people() };
  const times = damages.map((damage) => {
    const text = damaged(value, [damage]);
    if (healJson(text, { schema }) === undefined) throw new Error(`not repaired: ${damage.name}`);
    return processorMsOf(() => healJson(text, { schema }), runs);
  });
  const kinds = `${damages.length} kinds of damage`;
  return [
    measured(`healing of 100 KB, median of ${kinds}`, percentile(times, 0.5), 'ms', { atMost: 10 }),
    measured('healing of 100 KB, slowest kind', Math.max(...times), 'ms'),
  ];
}

function people(): readonly object[] {
  const all: object[] = [];
  for (let length = 0; length < characters; length += JSON.stringify(all.at(-1)).length)
    all.push({
      id: all.length,
      name: all.length === 0 ? 'Ada Lovelace' : `Person number ${all.length}`,
      age: 30 + (all.length % 50),
      isActive: all.length % 2 === 0,
      tags: ['one', 'two', 'three'],
      note: null,
      address: { street: `${all.length} Main Street`, city: 'Springfield' },
    });
  return all;
}
