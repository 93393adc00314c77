import { compileFilters, labels, scan, type BuiltinSlug } from '@sluice/content-filter';
import { attackFamilies, attackVariants, benignPrompts } from '@sluice/content-filter/testing';
import { say } from '../program.ts';
import { corpus } from './corpus.ts';
import { countFound, countInSources } from './count-findings.ts';
import { countBlind } from './blind/count-blind.ts';
import { readRows, writtenAttacks, writtenBenign } from './data.ts';
import { evaluate, type Sample } from './evaluate.ts';

const { BLIND, CORPUS, PER_LABEL = '400', SEED = '1', ERRORS = '0', LABEL } = process.env;

if (BLIND === '1') for (const table of await countBlind()) say(`${table.join('\n')}\n`);
else {
  await measureCorpus();
  if (CORPUS === undefined) await measureOwn();
}

/** Prints precision and recall of the built-in filters on `CORPUS`, a JSONL file of samples, or on our own corpus. */
async function measureCorpus(): Promise<void> {
  const slugs = Object.keys(labels).filter(
    (slug) => slug !== 'regex-prompt-injection',
  ) as BuiltinSlug[];
  const samples: Iterable<Sample> =
    CORPUS === undefined
      ? corpus({ seed: Number(SEED), perLabel: Number(PER_LABEL) })
      : (readRows(CORPUS) as readonly Sample[]);
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
}

/** Prints the counts of prompt injection and of false secrets in our own texts. */
async function measureOwn(): Promise<void> {
  const only = (slug: BuiltinSlug) =>
    compileFilters({ builtin: [{ slug, action: 'flag' }], custom: [] });
  const injection = await only('regex-prompt-injection');
  const told = (what: string, texts: readonly string[]) =>
    say(what.padEnd(44), `${countFound(texts, injection)} of ${texts.length}`);
  const seed = Number(SEED);
  told(
    'attacks found, generated',
    attackFamilies.flatMap((one) => attackVariants(one, 500, seed)),
  );
  told('false alarms, generated', benignPrompts(3_000, seed));
  told('attacks found, written by hand', writtenAttacks);
  told('false alarms, written by hand', writtenBenign);
  const { lines, findings } = countInSources('node_modules', await only('secrets'));
  say('secrets found in the sources of packages'.padEnd(44), `${findings} in ${lines} lines`);
}
