import { deepEqual, equal, ok } from 'node:assert/strict';
import fc from 'fast-check';
import { describe, test } from 'vitest';
import { shrinkOutput } from './shrink-output.ts';

const shrunk = (text: string) => {
  const shorter = shrinkOutput(text);
  ok(shorter !== undefined, text.slice(0, 200));
  ok(shorter.length < text.length);
  return shorter;
};
const times = (count: number, line: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => line(index));

describe('JSON', () => {
  const people = times(60, (id) => `person ${id}`).map((name, id) => ({
    id,
    name,
    state: id === 37 ? 'payment failed' : 'active',
  }));

  test('has its long lists as tables of the first, the last and the failed rows', () => {
    const { rows } = JSON.parse(shrunk(JSON.stringify({ total: 60, rows: people }))) as {
      rows: { columns: string[]; rows: unknown[] };
    };
    deepEqual(rows.columns, ['id', 'name', 'state']);
    deepEqual(
      rows.rows.map((row) => (typeof row === 'string' ? row : (row as unknown[])[0])),
      [0, 1, 2, 3, '[33 items left out]', 37, '[20 items left out]', 58, 59],
    );
  });

  test('loses nothing but its layout where lists are short', () => {
    const value = Object.fromEntries(
      times(40, (index) => `field ${index}`).map((name) => [name, 1]),
    );
    deepEqual(JSON.parse(shrunk(JSON.stringify(value, undefined, 4))), value);
  });

  test('keeps every digit of a number', () => {
    const list = times(20, () => '12345678901234567890.10').join(', \n');
    ok(
      shrunk(`{"all":  [ ${list} ],  "empty": "${' '.repeat(700)}"}`).includes(
        '12345678901234567890.10',
      ),
    );
  });

  test('is read within its texts', () => {
    const log = times(80, (index) => `2026-03-02 09:14:0${index % 10} INFO served ${index}`).join(
      '\n',
    );
    const { output } = JSON.parse(shrunk(JSON.stringify({ code: 0, output: log }))) as {
      output: string;
    };
    ok(output.includes('lines left out]'));
  });
});

describe('a log', () => {
  const lines = times(
    200,
    (index) => `2026-03-02T09:14:${String(index % 60).padStart(2, '0')}Z INFO ok ${index}`,
  );
  lines[120] = '2026-03-02T09:16:00Z ERROR pool exhausted';
  lines[121] = '    at acquire (pool.js:3)';

  test('keeps its ends, its failures with the lines after them, and marks the gaps', () => {
    const text = shrunk(lines.join('\n'));
    for (const part of ['INFO ok 0\n', 'INFO ok 199', 'ERROR pool exhausted\n    at acquire'])
      ok(text.includes(part), part);
    const leftOut = [...text.matchAll(/\[(\d+) lines? left out\]/g)].map(([, count]) =>
      Number(count),
    );
    const shown = text.split('\n').length - leftOut.length;
    equal(shown + leftOut.reduce((sum, count) => sum + count, 0), 200);
  });

  test('without times is one if its lines are of few kinds', () => {
    const text = times(100, (index) => `PASS src/file-${index}.spec.ts (${index} ms)`).join('\n');
    ok(shrunk(text).startsWith('PASS src/file-0.spec.ts'));
  });
});

describe('results of a search in files', () => {
  test('name each file once, with a few hits', () => {
    const hits = times(
      40,
      (index) => `services/a/b-${index % 2}.ts:${index}:  const found = ${index};`,
    );
    const lines = shrunk(hits.join('\n')).split('\n');
    deepEqual(lines.slice(0, 2), ['services/a/b-0.ts', '  0: const found = 0;']);
    deepEqual(
      lines.filter((line) => line.includes('left out')),
      ['  [14 hits left out]', '  [14 hits left out]'],
    );
  });
});

describe('a diff', () => {
  const context = times(30, (index) => ` unchanged line ${index} of the file`);
  const diff = [
    'diff --git a/src/a.ts b/src/a.ts',
    '--- a/src/a.ts',
    '+++ b/src/a.ts',
    '@@ -1,30 +1,31 @@ function a() {',
    ...context,
    '-  return 1;',
    '+  return 2;',
  ];

  test('keeps all changed lines and where they are', () => {
    equal(
      shrunk(diff.join('\n')),
      [...diff.slice(0, 4), '-  return 1;', '+  return 2;'].join('\n'),
    );
  });

  test('of a lock file is only counted', () => {
    const lock = [
      'diff --git a/package-lock.json b/package-lock.json',
      '--- a/package-lock.json',
      '+++ b/package-lock.json',
      '@@ -1,3 +1,40 @@',
      ...times(40, (index) => `+      "version": "1.0.${index}",`),
    ];
    const text = shrunk([...lock, ...diff].join('\n'));
    ok(text.includes('[40 lines left out]') || text.includes('[41 lines left out]'), text);
    ok(text.includes('+  return 2;') && !text.includes('1.0.3'));
  });
});

describe('other texts', () => {
  const paragraph =
    'It was decided to write the results down, so that those who come later can see why. ';

  test.each([
    ['prose', paragraph.repeat(30)],
    ['short JSON', '[1, 2, 3]'],
    ['JSON that is broken', `{"a": "${'b'.repeat(700)}"`],
    [
      'code',
      times(
        70,
        (index) =>
          `const ${'abcdefghij'[index % 10]}${index} = call${index}(${paragraph.slice(index)});`,
      ).join('\n'),
    ],
  ])('stay as they are: %s', (_name, text) => equal(shrinkOutput(text), undefined));

  test('never become longer, whatever they are', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.jsonValue().map((value) => JSON.stringify([value, value], undefined, 2)),
          fc.string(),
        ),
        fc.integer({ min: 1, max: 60 }),
        (unit, count) => {
          const text = `${unit}\n`.repeat(count);
          const shorter = shrinkOutput(text);
          if (shorter !== undefined) ok(Buffer.byteLength(shorter) < Buffer.byteLength(text));
        },
      ),
    );
  });
});
