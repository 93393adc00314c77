import { equal, ok } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'vitest';
import { labels } from '@sluice/content-filter';
import { blindTexts } from './blind-texts.ts';
import { countBlind } from './count-blind.ts';
import { tableOf, tallyBy } from './tally.ts';

// No assertion here has a text in its message: a failing test must not show them to an author of a recognizer.
const page = readFileSync(new URL('../../../../../docs/guardrails.md', import.meta.url), 'utf8');
const narrow = (line: string) => line.replaceAll(/-{3,}/gu, '---').replaceAll(/ +/gu, ' ');

describe('the blind texts', () => {
  test('are as many as the README says', () => {
    const { evasions, prompts, moderated } = blindTexts;
    const groups = ['disguised', 'plain', 'innocent'].map(
      (group) => evasions.filter((one) => one.group === group).length,
    );
    equal(groups.join(' '), '60 40 60');
    equal([prompts.length, prompts.filter(({ attack }) => attack).length].join(' '), '120 60');
    equal([moderated.length, moderated.filter(({ flag }) => flag).length].join(' '), '120 60');
  });

  test('have their values at places within the text, of kinds that a filter has', () => {
    const known = new Set(Object.values(labels));
    blindTexts.evasions.forEach(({ group, text, spans }, index) => {
      equal(spans.length, group === 'innocent' ? 0 : 1, `line ${index + 1}`);
      for (const { start, end, label } of spans)
        ok(
          start >= 0 && start < end && end <= text.length && known.has(`[${label}]`),
          `line ${index + 1}`,
        );
    });
  });
});

test('docs/guardrails.md has the tables that `make eval-filters BLIND=1` prints', async () => {
  const lines = page.split('\n').map(narrow).join('\n');
  for (const table of await countBlind())
    ok(
      lines.includes(table.map(narrow).join('\n')),
      `the page has not, or no longer, the table\n${table.join('\n')}`,
    );
});

test('a tally counts by name, and a table has a row for each name', () => {
  const tallies = tallyBy(
    [3, 1, 4, 2],
    (one) => (one > 2 ? 'big' : 'small'),
    (one) => one > 1,
  );
  equal(
    tableOf('Size', { Found: tallies }).join('\n'),
    '| Size | Found |\n| --- | --- |\n| big | 2 of 2 |\n| small | 1 of 2 |\n| all | 3 of 4 |',
  );
});
