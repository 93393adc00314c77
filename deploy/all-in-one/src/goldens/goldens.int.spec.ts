import { deepEqual } from 'node:assert/strict';
import { beforeAll, describe, test } from 'vitest';
import { alignment, alignmentWorld } from './cases/alignment.ts';
import { answers } from './cases/answers.ts';
import { callers } from './cases/callers.ts';
import { doors } from './cases/doors.ts';
import { fixtures } from './cases/fixtures.ts';
import { loops } from './cases/loops.ts';
import { money } from './cases/money.ts';
import { providerErrors } from './cases/provider-errors.ts';
import { refused } from './cases/refused.ts';
import { selection } from './cases/selection.ts';
import { timing } from './cases/timing.ts';
import { wire } from './cases/wire.ts';
import type { Case } from './testing/case.ts';
import { expectGolden, strayGoldens } from './testing/golden-file.ts';
import { record } from './testing/record.ts';
import type { WorldOptions } from './testing/world.ts';

const fewMax = 5;
const sideBySide = 12;
const worlds: readonly (readonly [string, readonly Case[], WorldOptions])[] = [
  ['recorded answers', fixtures, {}],
  ['requests', wire, {}],
  ['answers', answers, {}],
  ['other doors', doors, {}],
  ['loops', loops, {}],
  ['alignment', alignment, alignmentWorld],
  ['errors of providers', providerErrors, {}],
  ['refused requests', refused, {}],
  ['callers', callers, { settings: { inferenceBodyBytesMax: 65_536 } }],
  ...fewAtATime(selection).map((cases, place) => [`selection ${place + 1}`, cases, {}] as const),
  ...money,
  ...timing,
];

/** Second tries are a share of all requests, and 20 in any world: no case may use up those of another. */
function fewAtATime(cases: readonly Case[]): readonly (readonly Case[])[] {
  const count = Math.ceil(cases.length / fewMax);
  return Array.from({ length: count }, (_, place) =>
    cases.slice(place * fewMax, (place + 1) * fewMax),
  );
}

let recorded: ReadonlyMap<string, string>;
beforeAll(async () => {
  const left = [...worlds];
  const all = new Map<string, string>();
  const recordSome = async () => {
    for (let next = left.shift(); next; next = left.shift())
      for (const [name, text] of await record(next[1], next[2])) all.set(name, text);
  };
  await Promise.all(Array.from({ length: sideBySide }, recordSome));
  recorded = all;
});

for (const [world, cases] of worlds)
  describe(world, () => {
    for (const { name } of cases) test(name, () => expectGolden(name, recorded.get(name) ?? ''));
  });

test('each case has a name of its own, and no golden file is without a case', () => {
  const names = worlds.flatMap(([, cases]) => cases.map(({ name }) => name));
  deepEqual(names.length, new Set(names).size);
  deepEqual(strayGoldens(names), []);
});
