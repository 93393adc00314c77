import { deepEqual, equal, ok } from 'node:assert/strict';
import fc from 'fast-check';
import { describe, test } from 'vitest';
import {
  type Candidate,
  composeDemands,
  type Demands,
  type FilterAction,
  modelFamilies,
  objectionTo,
} from './index.ts';

const nothing: Demands = {
  allowedProviders: null,
  ignoredProviders: null,
  allowedModels: null,
  ignoredModels: null,
  zeroRetention: { anthropic: null, openai: null, google: null, xai: null, other: null },
  paidTraining: null,
  freeTraining: null,
  freePublication: null,
  dataRegions: null,
  builtinFilters: [],
  customFilters: [],
  scanOutput: null,
  failMode: null,
};
const anything: Candidate = {
  provider: 'p1',
  model: 'm1',
  family: 'other',
  isFree: true,
  retains: true,
  trains: true,
  publishes: true,
  region: 'global',
};

const few = (prefix: string) => fc.constantFrom(...[1, 2, 3].map((n) => `${prefix}${n}`));
const list = (prefix: string) => fc.option(fc.uniqueArray(few(prefix), { minLength: 1 }));
const flag = fc.option(fc.boolean());
const action = fc.constantFrom<FilterAction>('flag', 'redact', 'block');
const region = fc.constantFrom('global', 'europe', 'us');
const demands: fc.Arbitrary<Demands> = fc.record({
  allowedProviders: list('p'),
  ignoredProviders: list('p'),
  allowedModels: list('m'),
  ignoredModels: list('m'),
  zeroRetention: fc.record({
    anthropic: flag,
    openai: flag,
    google: flag,
    xai: flag,
    other: flag,
  }),
  paidTraining: flag,
  freeTraining: flag,
  freePublication: flag,
  dataRegions: fc.option(fc.uniqueArray(region, { minLength: 1 })),
  builtinFilters: fc.uniqueArray(
    fc.record({
      slug: fc.constantFrom('email', 'regex-prompt-injection'),
      action,
      scanScope: fc.constantFrom('user_only', 'all_messages', null),
    }),
    { selector: ({ slug }) => slug },
  ),
  customFilters: fc.uniqueArray(
    fc.record({ pattern: few('x'), action, label: fc.option(few('l')) }),
    { selector: ({ pattern }) => pattern },
  ),
  scanOutput: fc.option(fc.constantFrom('sentence', 'end')),
  failMode: fc.option(fc.constantFrom('block', 'pass')),
});
const candidate: fc.Arbitrary<Candidate> = fc.record({
  provider: few('p'),
  model: few('m'),
  family: fc.constantFrom(...modelFamilies),
  isFree: fc.boolean(),
  retains: fc.boolean(),
  trains: fc.boolean(),
  publishes: fc.boolean(),
  region,
});
const strength = (of: FilterAction) => ['flag', 'redact', 'block'].indexOf(of);

describe('what guardrails demand together', () => {
  test('is nothing where there are none', () => {
    equal(objectionTo(composeDemands([]), anything), undefined);
    deepEqual(composeDemands([]), composeDemands([nothing]));
  });

  test('never allows more because one is added', () => {
    fc.assert(
      fc.property(fc.array(demands), demands, candidate, (before, added, asked) => {
        const permitted = objectionTo(composeDemands([...before, added]), asked) === undefined;
        if (permitted) equal(objectionTo(composeDemands(before), asked), undefined);
      }),
      { numRuns: 2_000 },
    );
  });

  test('never filters less because one is added', () => {
    fc.assert(
      fc.property(fc.array(demands), demands, (before, added) => {
        const [fewer, more] = [composeDemands(before), composeDemands([...before, added])];
        for (const filter of fewer.builtinFilters) {
          const then = more.builtinFilters.find(({ slug }) => slug === filter.slug);
          ok(then && strength(then.action) >= strength(filter.action));
          if (filter.scanScope === 'all_messages') equal(then.scanScope, 'all_messages');
        }
        for (const filter of fewer.customFilters) {
          const then = more.customFilters.find(({ pattern }) => pattern === filter.pattern);
          ok(then && strength(then.action) >= strength(filter.action));
        }
      }),
    );
  });

  test('permits what each of them permits alone, and nothing else', () => {
    fc.assert(
      fc.property(fc.array(demands, { maxLength: 4 }), candidate, (all, asked) => {
        const each = all.every((one) => objectionTo(composeDemands([one]), asked) === undefined);
        equal(objectionTo(composeDemands(all), asked) === undefined, each);
      }),
      { numRuns: 2_000 },
    );
  });

  test('is the same in any order, and when one is named twice', () => {
    const shuffled = fc
      .array(demands, { maxLength: 5 })
      .chain((all) =>
        fc.tuple(
          fc.constant(all),
          fc.shuffledSubarray(all, { minLength: all.length, maxLength: all.length }),
        ),
      );
    fc.assert(
      fc.property(shuffled, ([all, other]) => {
        // A generated value has no prototype.
        const together = structuredClone(composeDemands(all));
        deepEqual(structuredClone(composeDemands(other)), together);
        deepEqual(structuredClone(composeDemands([...all, ...other])), together);
      }),
    );
  });
});

describe('an allowed list', () => {
  test('that has nothing in common with another one leaves nothing', () => {
    const together = composeDemands([
      { ...nothing, allowedProviders: ['p1'] },
      { ...nothing, allowedProviders: ['p2'] },
    ]);
    deepEqual(together.allowedProviders, new Set());
    equal(objectionTo(together, anything), 'provider');
  });

  test('does not bring back what another one ignores', () => {
    const ignoring = { ...nothing, ignoredModels: ['m1'] };
    const together = composeDemands([ignoring, { ...nothing, allowedModels: ['m1', 'm2'] }]);
    equal(objectionTo(together, anything), 'model');
    equal(objectionTo(together, { ...anything, model: 'm2' }), undefined);
  });
});

describe('each demand', () => {
  test.each<[string, Partial<Demands>, Partial<Candidate>]>([
    ['region', { dataRegions: ['europe'] }, { region: 'europe' }],
    [
      'retention',
      { zeroRetention: { ...nothing.zeroRetention, other: true } },
      { family: 'openai' },
    ],
    ['training', { freeTraining: false }, { isFree: false }],
    ['publication', { freePublication: false }, { isFree: false }],
  ])('for %s refuses what does not meet it, and nothing else', (objection, wanted, meeting) => {
    const together = composeDemands([{ ...nothing, ...wanted }]);
    equal(objectionTo(together, anything), objection);
    equal(objectionTo(together, { ...anything, ...meeting }), undefined);
  });

  test('of false is not lifted by another one’s true', () => {
    const together = composeDemands([
      { ...nothing, paidTraining: false },
      { ...nothing, paidTraining: true },
    ]);
    equal(together.paidTraining, false);
  });
});

describe('of two filters with the same pattern', () => {
  test('the stronger one counts with its label; of equals the label that comes first', () => {
    const filter = (of: FilterAction, label: string | null): Demands => ({
      ...nothing,
      customFilters: [{ pattern: 'x', action: of, label }],
    });
    const together = (...all: Demands[]) => composeDemands(all).customFilters;
    deepEqual(together(filter('flag', 'a'), filter('block', null)), [
      { pattern: 'x', action: 'block', label: null },
    ]);
    deepEqual(together(filter('flag', null), filter('flag', 'b'), filter('flag', 'a')), [
      { pattern: 'x', action: 'flag', label: 'a' },
    ]);
  });
});
