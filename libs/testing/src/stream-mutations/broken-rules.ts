import { equal, ok } from 'node:assert/strict';
import fc from 'fast-check';
import { describe, test } from 'vitest';
import { mutate } from './mutate.ts';
import type { Event } from './mutation.ts';
import { goodStreams, mutationsOf, type StreamFormat } from './recorded.ts';

const picks = [0, 1, 5];

/**
 * Tests that each mutation of the format is refused by the name of its rule. `broken` returns the rule that a stream
 * breaks.
 */
export function testBrokenRules(
  format: StreamFormat,
  rules: object,
  broken: (events: readonly Event[]) => string | undefined,
  testedElsewhere: readonly string[],
): void {
  const mutations = mutationsOf(format);
  const streams = goodStreams(format);

  describe('a stream that breaks a rule is refused by the name of that rule', () => {
    test.each(mutations)('$rule: $name', (mutation) => {
      const mutants = streams.flatMap(({ events }) =>
        picks.flatMap((pick) => {
          const mutant = mutate(events, mutation, pick);
          return mutant ? [mutant] : [];
        }),
      );
      ok(mutants.length > 0, 'nothing was mutated');
      for (const mutant of mutants) equal(broken(mutant), mutation.rule);
    });

    test('at any place', () => {
      const places = fc.tuple(fc.constantFrom(...streams), fc.constantFrom(...mutations), fc.nat());
      fc.assert(
        fc.property(places, ([{ events }, mutation, pick]) => {
          const mutant = mutate(events, mutation, pick);
          if (mutant) equal(broken(mutant), mutation.rule);
        }),
        { numRuns: 3_000 },
      );
    });
  });

  test('every rule is broken by something here', () => {
    const known = new Set([...mutations.map(({ rule }) => rule), ...testedElsewhere]);
    equal(
      Object.keys(rules).find((name) => !known.has(name)),
      undefined,
    );
  });
}
