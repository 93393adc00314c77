import { equal, ok } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'vitest';
import { toolOutputs } from './corpus.ts';
import { measureOutputs, outputsTable } from './outputs-bench.ts';

const page = readFileSync(new URL('../../../../../docs/plugins.md', import.meta.url), 'utf8');
const narrow = (line: string) => line.replaceAll(/-{3,}/gu, '---').replaceAll(/ +/gu, ' ');

describe('the corpus of outputs', () => {
  test.each(toolOutputs)('has its facts in its texts: $kind', ({ text, expected, other }) => {
    for (const fact of [...expected, ...other]) ok(fact !== '' && text.includes(fact), fact);
  });

  test('has eight kinds', () => equal(new Set(toolOutputs.map(({ kind }) => kind)).size, 8));
});

test('docs/plugins.md has the table that `make bench-plugins` prints', async () => {
  const lines = page.split('\n').map(narrow).join('\n');
  const table = outputsTable(await measureOutputs())
    .map(narrow)
    .join('\n');
  ok(lines.includes(table), `the page has not, or no longer, the table\n${table}`);
});
