import {
  type BuiltinSlug,
  builtinSlugs,
  compileFilters,
  nanosecondsPerCharacter,
  nanosecondsPerStep,
  scan,
} from '@sluice/content-filter';
import { type Measure, measured } from '../measure.ts';

const characters = 4_096;
const rounds = 15;
const million = 1_000_000;
const patterns = [
  String.raw`[a-z]{1,100}\d`,
  '(?i)(?:[a-z]|[0-9a]){1,30}Z',
  '(?:.*a){30}b',
  String.raw`\b[A-Z]{2}\d{6}\b`,
];

/** The least of some rounds, in milliseconds: others share the machine. */
function leastMs(work: () => unknown): number {
  let least = Infinity;
  for (let round = 0; round < rounds; round++) {
    const beganMs = performance.now();
    work();
    least = Math.min(least, performance.now() - beganMs);
  }
  return least;
}

const filtersOf = (builtin: readonly BuiltinSlug[], custom: readonly string[] = []) =>
  compileFilters(
    {
      builtin: builtin.map((slug) => ({ slug, action: 'flag' as const })),
      custom: custom.map((pattern) => ({ pattern, action: 'flag' as const, label: null })),
    },
    { joins: false },
  );

/** Measures the worst cost of each filter beside the figure that decides where a scan runs. */
export async function measureCosts(
  units: readonly string[],
  personal: string,
): Promise<readonly Measure[]> {
  const texts = [...units.map((unit) => unit.repeat(characters / unit.length)), personal];
  const measures: Measure[] = [];
  const row = (what: string, costs: readonly number[], counted: number) =>
    measures.push(
      measured(`worst cost: ${what}`, Math.max(...costs), 'ns', { note: `counted as ${counted}` }),
    );
  for (const slug of builtinSlugs) {
    const filters = await filtersOf([slug]);
    const costs = texts.map((text) => (leastMs(() => scan(text, filters)) * 1e6) / text.length);
    row(`${slug}, a character`, costs, nanosecondsPerCharacter[slug]);
  }
  const costs: number[] = [];
  for (const pattern of patterns) {
    const filters = await filtersOf([], [pattern]);
    const { instructions } = filters.custom.patterns;
    const length = Math.floor(100_000 / instructions);
    for (const unit of ['a', 'ab12', 'x', 'a1 ']) {
      const text = unit.repeat(length / unit.length);
      costs.push((leastMs(() => scan(text, filters)) * 1e6) / (instructions * text.length));
    }
  }
  row('custom patterns, a step', costs, nanosecondsPerStep);
  const secrets = await filtersOf(['secrets']);
  const tokens = 'eyJ-'.repeat(million / 4);
  const tokensMs = leastMs(() => scan(tokens, secrets));
  return [...measures, measured('eyJ- × 1 MB, secrets', tokensMs, 'ms')];
}
