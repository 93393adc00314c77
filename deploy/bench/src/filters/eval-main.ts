import { readFileSync } from 'node:fs';
import { compileFilters, labels, scan, type BuiltinSlug } from '@sluice/content-filter';
import { corpus } from './corpus.ts';
import { evaluate, type Sample } from './evaluate.ts';

const say = (...words: readonly string[]) => process.stdout.write(`${words.join(' ')}\n`);

/** Prints precision and recall of the built-in filters on `CORPUS`, a JSONL file of samples, or on our own corpus. */
const { CORPUS, PER_LABEL = '400', SEED = '1', ERRORS = '0', LABEL } = process.env;
const slugs = Object.keys(labels).filter(
  (slug) => slug !== 'regex-prompt-injection',
) as BuiltinSlug[];
const samples: Iterable<Sample> =
  CORPUS === undefined
    ? corpus({ seed: Number(SEED), perLabel: Number(PER_LABEL) })
    : readFileSync(CORPUS, 'utf8')
        .split('\n')
        .filter((line) => line.trim() !== '')
        .map((line) => JSON.parse(line) as Sample);
const filters = await compileFilters({
  builtin: slugs.map((slug) => ({ slug, action: 'flag' })),
  custom: [],
});
let shown = 0;
const scores = evaluate(
  samples,
  (text) =>
    scan(text, filters).detections.map(({ start, end, filter }) => ({
      start,
      end,
      label: filter.name.replaceAll(/[[\]]/gu, ''),
    })),
  ({ kind, text, span }) => {
    if (LABEL !== undefined && span.label !== LABEL) return;
    if (shown++ < Number(ERRORS))
      say(
        `${kind} ${span.label} ${JSON.stringify(text.slice(span.start, span.end))} in`,
        JSON.stringify(text),
      );
  },
);
say('label            true  wrong missed  precision  recall');
for (const { label, precision, recall, ...count } of scores)
  say(
    label.padEnd(14),
    String(count.true).padStart(6),
    String(count.wrong).padStart(6),
    String(count.missed).padStart(6),
    precision.toFixed(3).padStart(10),
    recall.toFixed(3).padStart(7),
  );
