import {
  type BuiltinSlug,
  builtinSlugs,
  compileFilters,
  compileStreamFilters,
  scan,
} from '@sluice/content-filter';
import { scanGroup, TextRelease } from '@sluice/content-scanner';
import { percentile } from '../percentile.ts';
import { say } from '../program.ts';
import { corpus } from './corpus.ts';
import { printCosts } from './costs.ts';
import { measureNeighbor } from './neighbor.ts';

/**
 * Prints the CPU time of the content filters: all built-in ones on 2 KB of text, 100 custom patterns on 100 KB, hostile
 * texts with their doubles, and a streamed answer of 500 words. Medians, in one process; compare within a run.
 */
const { ROUNDS = '300', NEIGHBOUR } = process.env;
if (NEIGHBOUR !== undefined) {
  await measureNeighbor();
  process.exit();
}
const rounds = Number(ROUNDS);
const hostileCharacters = 131_072;

const all = await compileFilters({
  builtin: builtinSlugs.map((slug) => ({ slug, action: 'flag' })),
  custom: [],
});

/** Microseconds of CPU. */
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

const print = (what: string, us: number) =>
  say(what.padEnd(58), us < 10_000 ? `${us.toFixed(0)} µs` : `${(us / 1_000).toFixed(0)} ms`);

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
for (let round = 0; round < rounds; round++) scan(ordinary + personal, all);
print(
  'all built-in filters, 2 KB, nothing to find',
  medianUs(() => scan(ordinary, all), rounds),
);
print(
  'all built-in filters, 2 KB full of personal data',
  medianUs(() => scan(personal, all), rounds),
);
for (const slug of builtinSlugs) {
  const one = await compileFilters({ builtin: [{ slug, action: 'flag' }], custom: [] });
  print(
    `  ${slug}, 2 KB, nothing to find`,
    medianUs(() => scan(ordinary, one), rounds),
  );
}

const custom = await compileFilters({
  builtin: [],
  custom: Array.from({ length: 100 }, (_, index) => ({
    pattern: String.raw`\bPROJECT-${index}-[A-Z]{2,8}\d+\b`,
    action: 'flag' as const,
    label: null,
  })),
});
const long = prose.repeat(400).slice(0, 102_400);
for (let round = 0; round < 20; round++) scan(long, custom);
print(
  '100 custom patterns, 100 KB',
  medianUs(() => scan(long, custom), 30),
);

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
say('\nhostile text'.padEnd(32), '128 KB'.padStart(10), '256 KB'.padStart(10), 'ratio');
for (const [what, unit] of Object.entries(hostile)) {
  const text = unit.repeat(hostileCharacters / unit.length);
  const took = [text, text + text].map((one) => medianUs(() => scan(one, all), 5) / 1_000);
  const [once = 0, twice = 0] = took;
  say(
    what.padEnd(31),
    `${once.toFixed(1)} ms`.padStart(10),
    `${twice.toFixed(1)} ms`.padStart(10),
    (twice / once).toFixed(2),
  );
}

await printCosts(Object.values(hostile), personal);

const words =
  prose
    .repeat(20)
    .match(/\s*\S+/gu)
    ?.slice(0, 500) ?? [];
const patterns = builtinSlugs.filter(
  (slug) => !['person-name', 'address', 'regex-prompt-injection'].includes(slug),
);
say('\nanswer of 500 words, a delta each'.padEnd(59));
await printStream('patterns, incremental', patterns);
await printStream('patterns and names, by the sentence', [...patterns, 'person-name', 'address']);

async function printStream(what: string, slugs: readonly BuiltinSlug[]): Promise<void> {
  const set = {
    builtin: slugs.map((slug) => ({ slug, action: 'redact' as const })),
    custom: [],
  };
  const filters = await compileFilters(set);
  const { hold, buffered } = compileStreamFilters(set);
  const answer = async () => {
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
  };
  const times: number[] = [];
  for (let round = 0; round < 60; round++) {
    const before = process.cpuUsage();
    await answer();
    times.push(process.cpuUsage(before).user);
  }
  print(`  ${what}, each delta`, percentile(times, 0.5) / words.length);
}
