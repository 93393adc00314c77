import { equal, ok } from 'node:assert/strict';
import {
  type BuiltinSlug,
  compileFilters,
  compileStreamFilters,
  type FilterSet,
  redact,
  scan,
} from '@sluice/content-filter';
import { secretExamples } from '@sluice/content-filter/testing';
import { type Buffering, scanGroup, TextRelease } from '@sluice/content-scanner';
import { type Random, seededRandom } from '@sluice/testing/random';
import { describe, test } from 'vitest';
import { corpus } from './corpus.ts';

const patterns: readonly BuiltinSlug[] = [
  'email',
  'phone',
  'ssn',
  'credit-card',
  'ip-address',
  'secrets',
];
const entities: readonly BuiltinSlug[] = ['person-name', 'address'];

function setOf(slugs: readonly BuiltinSlug[]): FilterSet {
  return { builtin: slugs.map((slug) => ({ slug, action: 'redact' })), custom: [] };
}

async function releaser(set: FilterSet, buffering: Buffering) {
  const filters = await compileFilters(set);
  const { hold } = compileStreamFilters(set);
  return async (deltas: readonly string[]) => {
    const release = new TextRelease({
      hold,
      buffering,
      form: 'text',
      blocks: { unscanned: true, cut: false },
      isBlocking: () => false,
      scan: async (texts) => scanGroup(texts, filters, { scansInjection: false }),
    });
    const pieces: string[] = [];
    for (const delta of deltas) pieces.push((await release.push(delta)).text);
    pieces.push((await release.end()).text);
    return pieces;
  };
}

function* cutsOf(text: string, random: Random): Generator<readonly string[]> {
  yield [text];
  yield text.split('');
  yield text.match(/\s*\S+/gu) ?? [];
  for (let times = 0; times < 2; times++) {
    const deltas: string[] = [];
    for (let at = 0; at < text.length;) {
      const end = at + random.between(1, 12);
      deltas.push(text.slice(at, end));
      at = end;
    }
    yield deltas;
  }
}

/** Single samples, samples one after the other, and a text that is longer than what filters keep of it. */
function textsOf(seed: number): readonly string[] {
  const samples = [...corpus({ seed, perLabel: 3 })].map(({ text }) => text);
  const joined = samples.flatMap((_, index) =>
    index % 5 === 0 ? [samples.slice(index, index + 5).join(index % 2 === 0 ? ' ' : '\n')] : [],
  );
  return [...samples, ...joined, samples.slice(0, 120).join(' '), samples.join('\n')];
}

const examples = secretExamples.flatMap(({ hits, misses }) => [
  ...hits.map(({ text }) => `Here you are: ${text} and more text.`),
  ...misses,
]);

describe('what leaves of a stream', () => {
  test('is the redacted whole text, however it was cut', async () => {
    const set = setOf(patterns);
    const filters = await compileFilters(set);
    const release = await releaser(set, 'incremental');
    const random = seededRandom(7);
    let changed = 0;
    for (const text of [...textsOf(7), ...examples]) {
      const wanted = redact(text, scan(text, filters).redactions);
      if (wanted !== text) changed++;
      for (const deltas of cutsOf(text, random)) equal((await release(deltas)).join(''), wanted);
    }
    ok(changed > 500, String(changed));
  });

  test('is the same however it was cut, with names and addresses by the sentence', async () => {
    const release = await releaser(setOf([...patterns, ...entities]), 'sentence');
    const random = seededRandom(8);
    for (const text of textsOf(8)) {
      const wanted = (await release([text])).join('');
      for (const deltas of cutsOf(text, random)) equal((await release(deltas)).join(''), wanted);
    }
  });

  test('is at most one delta late in prose', async () => {
    const release = await releaser(setOf(patterns), 'incremental');
    const deltas =
      'The quick brown fox jumps over the lazy dog and runs on'.match(/\s*\S+/gu) ?? [];
    const pieces = await release(deltas);
    equal(pieces.join(''), deltas.join(''));
    deltas.forEach((_, index) => {
      const left = pieces.slice(0, index + 2).join('');
      ok(left.startsWith(deltas.slice(0, index + 1).join('')), `after delta ${index + 1}: ${left}`);
    });
  });
});
