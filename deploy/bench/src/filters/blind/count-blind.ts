import { compileFilters, type FilterSet, filtersOf, labels } from '@sluice/content-filter';
import { scanGroup } from '@sluice/content-scanner';
import { localModerator } from '@sluice/moderation';
import { createWorkerPool } from '@sluice/worker-pool';
import { evaluate, type LabelledSpan } from '../evaluate.ts';
import { blindTexts, type Evasion } from './blind-texts.ts';
import { tableOf, tally, tallyBy } from './tally.ts';

const injectionSlug = 'regex-prompt-injection';
const labelOf = (label: string) => label.replaceAll(/[[\]]/gu, '');
const slugByLabel = new Map(Object.entries(labels).map(([slug, label]) => [labelOf(label), slug]));

/** Counts findings in the blind texts. Returns tables in Markdown, without a word of the texts. */
export async function countBlind(): Promise<readonly (readonly string[])[]> {
  return [...(await countEvasions()), await countPrompts(), await countModerated()];
}

async function countEvasions() {
  const slugs = [...slugByLabel.values()].filter((slug) => slug !== injectionSlug);
  const find = await finderOf(slugs);
  const { evasions } = blindTexts;
  const among = (group: Evasion['group']) => evasions.filter((one) => one.group === group);
  const kindOf = ({ spans: [span] }: Evasion) => slugByLabel.get(span?.label ?? '') ?? '';
  const isFound = (one: Evasion) => evaluate([one], find).some((score) => score.true > 0);
  const alarms = among('innocent').map(
    ({ text }) => new Set(find(text).map(({ label }) => slugByLabel.get(label))),
  );
  const falseAlarms = new Map([
    ...slugs.map((slug) => [slug, tally(alarms, (one) => one.has(slug))] as const),
    ['all', tally(alarms, ({ size }) => size > 0)] as const,
  ]);
  return [
    tableOf('Kind', {
      'Found, disguised': tallyBy(among('disguised'), kindOf, isFound),
      'Found, behind a word': tallyBy(among('plain'), kindOf, isFound),
      'False alarms': falseAlarms,
    }),
    tableOf('Disguise', { Found: tallyBy(among('disguised'), ({ trick = '' }) => trick, isFound) }),
  ];
}

async function countPrompts() {
  const find = await finderOf([injectionSlug]);
  const { prompts } = blindTexts;
  return byLanguage('Attack', {
    harmful: prompts.filter(({ attack }) => attack),
    innocent: prompts.filter(({ attack }) => !attack),
    nameOf: ({ style = '' }) => style,
    isFound: ({ text }) => find(text).length > 0,
  });
}

async function countModerated() {
  const pool = createWorkerPool();
  const { signal } = new AbortController();
  const { moderated } = blindTexts;
  const moderator = localModerator({ pool });
  const verdicts = await Promise.all(
    moderated.map(({ text }) => moderator.check([text], { account: 'blind', signal })),
  );
  await pool.stop();
  const flagged = new Set(moderated.filter((_, index) => verdicts[index]?.[0]?.isFlagged));
  return byLanguage('Category', {
    harmful: moderated.filter(({ flag }) => flag),
    innocent: moderated.filter(({ flag }) => !flag),
    nameOf: ({ category = '' }) => category,
    isFound: (one) => flagged.has(one),
  });
}

interface Judged<Item> {
  readonly harmful: readonly Item[];
  readonly innocent: readonly Item[];
  readonly nameOf: (item: Item) => string;
  readonly isFound: (item: Item) => boolean;
}

/** Counts by language and name. The last row counts innocent texts with a finding. */
function byLanguage<Item extends { readonly language: string }>(
  title: string,
  { harmful, innocent, nameOf, isFound }: Judged<Item>,
) {
  const column = (isOf: (item: Item) => boolean) =>
    new Map([
      ...tallyBy(harmful.filter(isOf), nameOf, isFound),
      ['false alarms', tally(innocent.filter(isOf), isFound)] as const,
    ]);
  return tableOf(title, {
    English: column(({ language }) => language === 'en'),
    'Other languages': column(({ language }) => language !== 'en'),
  });
}

/** Returns a function that finds content as a guardrail with these filters does. */
async function finderOf(
  slugs: readonly string[],
): Promise<(text: string) => readonly LabelledSpan[]> {
  const builtin = slugs.map((slug) => ({ slug, action: 'redact' })) as FilterSet['builtin'];
  const set: FilterSet = { builtin, custom: [] };
  const filters = await compileFilters(set);
  const names = new Map(filtersOf(set).map(({ number, name }) => [number, labelOf(name)]));
  return (text) =>
    scanGroup({ texts: [text], form: 'text' }, filters, { scansInjection: true }).detections.map(
      ({ start, end, filter }) => ({ start, end, label: names.get(filter) ?? '' }),
    );
}
