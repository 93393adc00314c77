import { deepEqual } from 'node:assert/strict';
import fc from 'fast-check';
import { describe, test } from 'vitest';
import { parseUsageId } from './usage-id.ts';

const number = fc.integer({ min: 1, max: 999_999 });
const generation = fc.string({ minLength: 1, maxLength: 20 });

describe('a usage id', () => {
  test('names an attempt and a turn of any generation', () => {
    fc.assert(
      fc.property(generation, number, number, (id, attempt, turn) => {
        const step = parseUsageId(`${id}/${attempt}/${turn}`);
        deepEqual(step, { kind: 'turn', attempt, turn });
      }),
    );
  });

  test('names a paid call of a tool', () => {
    fc.assert(
      fc.property(generation, number, (id, call) => {
        deepEqual(parseUsageId(`${id}/tool/${call}`), { kind: 'tool', number: call });
      }),
    );
  });

  test('names what a tool asked models for', () => {
    fc.assert(
      fc.property(generation, number, number, number, number, (id, call, asked, one, other) => {
        const inner = { kind: 'inner', number: call } as const;
        const question = `${id}/tool/${call}/${asked}`;
        for (const step of [`${one}/${other}`, `tool/${one}`, `tool/${one}/${other}/1/2`])
          deepEqual(parseUsageId(`${question}/${step}`), inner);
      }),
    );
  });

  test.each(['', 'gen-1', 'gen-1/2', 'gen-1/0/1', 'gen-1/1/01', 'gen-1/tool/0', 'gen-1/1/1/'])(
    'of no such form is the first turn: %j',
    (id) => deepEqual(parseUsageId(id), { kind: 'turn', attempt: 1, turn: 1 }),
  );
});
