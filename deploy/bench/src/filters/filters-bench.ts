import {
  type BuiltinSlug,
  builtinSlugs,
  compileFilters,
  compileStreamFilters,
  scan,
} from '@sluice/content-filter';
import { scanGroup, TextRelease } from '@sluice/content-scanner';
import { type Measure, measured } from '../measure.ts';
import { percentile } from '../percentile.ts';
import { corpus } from './corpus.ts';
import { measureCosts } from './costs.ts';

const prose = [
  'The committee met in the morning to discuss how the new system should work for everybody who uses it. ',
  'After a long debate they agreed that a simple plan is better than a clever one, and that it must be tested. ',
  'It was decided to write the results down, so that those who come later can see why things are as they are. ',
].join('');
const ordinary = prose.repeat(20).slice(0, 2_048);
const personal = [...corpus({ seed: 3, perLabel: 4 })]
  .map(({ text }) => text)
  .join('\n')
  .slice(0, 2_048);
const hostileCharacters = 131_072;
const hostile: Readonly<Record<string, string>> = {
  letters: 'a',
  digits: '1',
  capitals: 'Aa ',
  'at signs': 'a@',
  'dots and digits': '1.1',
  'phone-like': '+1 2',
  'name-like': 'Anna Maria ',
  'street-like': '12 Oak ',
  'secrets-like': 'key=sk-',
  'injection-like': 'ignore previous ',
  'spaced letters': 'i g n ',
  base64: 'QUJD',
  colons: '1:2',
};

/**
 * Measures the processor time of the content filters: all built-in ones on 2 KB of text, 100 custom patterns on 100 KB,
 * hostile texts with their doubles, and a streamed answer of 500 words. Medians, in one process; compare within a run.
 */
export async function filtersBench(rounds: number): Promise<readonly Measure[]> {
  return [
    ...(await measureBuiltin(rounds)),
    ...(await measureCustom()),
    ...(await measureHostile()),
    ...(await measureCosts(Object.values(hostile), personal)),
    ...(await measureStreams()),
  ];
}

const filtersOf = (slugs: readonly BuiltinSlug[]) =>
  compileFilters({ builtin: slugs.map((slug) => ({ slug, action: 'flag' })), custom: [] });

/** Returns microseconds of processor time. */
function medianUs(work: () => unknown, count: number): number {
  const times = Array.from({ length: count }, () => {
    const before = process.cpuUsage();
    const beganMs = performance.now();
    work();
    const { user } = process.cpuUsage(before);
    return Math.min(user, (performance.now() - beganMs) * 1_000) || user;
  });
  return percentile(times, 0.5);
}

async function measureBuiltin(rounds: number): Promise<readonly Measure[]> {
  const all = await filtersOf(builtinSlugs);
  for (let round = 0; round < rounds; round++) scan(ordinary + personal, all);
  const of = (text: string, filters: typeof all) => medianUs(() => scan(text, filters), rounds);
  const measures = [
    measured('all built-in filters, 2 KB, nothing to find', of(ordinary, all), 'µs'),
    measured('all built-in filters, 2 KB full of personal data', of(personal, all), 'µs'),
  ];
  for (const slug of builtinSlugs) {
    const us = of(ordinary, await filtersOf([slug]));
    measures.push(measured(`${slug}, 2 KB, nothing to find`, us, 'µs'));
  }
  return measures;
}

async function measureCustom(): Promise<readonly Measure[]> {
  const patterns = Array.from({ length: 100 }, (_, index) => ({
    pattern: String.raw`\bPROJECT-${index}-[A-Z]{2,8}\d+\b`,
    action: 'flag' as const,
    label: null,
  }));
  const custom = await compileFilters({ builtin: [], custom: patterns });
  const long = prose.repeat(400).slice(0, 102_400);
  for (let round = 0; round < 20; round++) scan(long, custom);
  const us = medianUs(() => scan(long, custom), 30);
  return [measured('100 custom patterns, 100 KB', us / 1_000, 'ms')];
}

async function measureHostile(): Promise<readonly Measure[]> {
  const all = await filtersOf(builtinSlugs);
  return Object.entries(hostile).map(([what, unit]) => {
    const text = unit.repeat(hostileCharacters / unit.length);
    const [once = 0, twice = 0] = [text, text + text].map((one) =>
      medianUs(() => scan(one, all), 5),
    );
    const note = `${(twice / 1_000).toFixed(1)} ms for 256 KB: ${(twice / once).toFixed(2)} times`;
    return measured(`hostile text, ${what}, 128 KB`, once / 1_000, 'ms', { note });
  });
}

async function measureStreams(): Promise<readonly Measure[]> {
  const exact = builtinSlugs.filter(
    (slug) => !['person-name', 'address', 'regex-prompt-injection'].includes(slug),
  );
  const kinds: Readonly<Record<string, readonly BuiltinSlug[]>> = {
    'patterns, incremental': exact,
    'patterns and names, by the sentence': [...exact, 'person-name', 'address'],
  };
  const measures: Measure[] = [];
  for (const [what, slugs] of Object.entries(kinds)) {
    const us = await deltaUs(slugs);
    measures.push(measured(`answer of 500 words, ${what}, each delta`, us, 'µs'));
  }
  return measures;
}

/** Returns the processor time of each delta of an answer of 500 words. */
async function deltaUs(slugs: readonly BuiltinSlug[]): Promise<number> {
  const words = [...prose.repeat(20).matchAll(/\s*\S+/gu)].slice(0, 500).map(([word]) => word);
  const builtin = slugs.map((slug) => ({ slug, action: 'redact' as const }));
  const set = { builtin, custom: [] };
  const filters = await compileFilters(set);
  const { hold, buffered } = compileStreamFilters(set);
  const times: number[] = [];
  for (let round = 0; round < 60; round++) {
    const before = process.cpuUsage();
    const release = new TextRelease({
      hold,
      buffering: buffered.length > 0 ? 'sentence' : 'incremental',
      form: 'text',
      blocks: { unscanned: true, cut: false },
      isBlocking: () => false,
      scan: async (texts) => scanGroup(texts, filters, { scansInjection: false }),
    });
    for (const word of words) await release.push(word);
    await release.end();
    times.push(process.cpuUsage(before).user);
  }
  return percentile(times, 0.5) / words.length;
}
