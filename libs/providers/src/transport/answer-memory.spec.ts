import { deepEqual, equal, ok } from 'node:assert/strict';
import fc from 'fast-check';
import { describe, test } from 'vitest';
import { AnswerMemory } from './answer-memory.ts';

function memoryOf(bytesMax: number) {
  const memory = new AnswerMemory(bytesMax);
  const ended: string[] = [];
  const answer = (name: string) => ({ name, onMemoryShort: () => void ended.push(name) });
  return { memory, ended, answer };
}

describe('the memory of answers', () => {
  test('ends the largest answer when all together exceed the bound', () => {
    const { memory, ended, answer } = memoryOf(100);
    const [small, large, last] = [answer('small'), answer('large'), answer('last')];
    memory.keep(small, 20);
    memory.keep(large, 60);
    memory.keep(last, 20);
    deepEqual([ended, memory.bytes], [[], 100]);
    memory.keep(last, 21);
    deepEqual([ended, memory.bytes], [['large'], 41]);
  });

  test('ends a single answer that exceeds the bound', () => {
    const { memory, ended, answer } = memoryOf(100);
    memory.keep(answer('one'), 101);
    deepEqual([ended, memory.bytes], [['one'], 0]);
  });

  test('has room again when an answer is freed', () => {
    const { memory, ended, answer } = memoryOf(100);
    const one = answer('one');
    memory.keep(one, 100);
    memory.free(one);
    memory.free(one);
    memory.keep(answer('two'), 100);
    deepEqual([ended, memory.bytes], [[], 100]);
  });

  test('never exceeds the bound, and is empty when all are freed', () => {
    const step = fc.record({
      name: fc.integer({ min: 0, max: 5 }),
      bytes: fc.integer({ min: 0, max: 80 }),
      isEnd: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(step), (steps) => {
        const { memory, answer } = memoryOf(100);
        const answers = Array.from({ length: 6 }, (_, index) => answer(String(index)));
        for (const { name, bytes, isEnd } of steps) {
          const one = answers[name];
          ok(one);
          if (isEnd) memory.free(one);
          else memory.keep(one, bytes);
          ok(memory.bytes >= 0 && memory.bytes <= 100);
        }
        for (const one of answers) memory.free(one);
        equal(memory.bytes, 0);
      }),
    );
  });
});
