import { equal, match } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { patchProblem } from './check-patch.ts';

const update = (diff: string) => patchProblem({ type: 'update_file', path: 'a.ts', diff });
const create = (diff: string) => patchProblem({ type: 'create_file', path: 'a.ts', diff });

describe('a patch', () => {
  test.each([
    '@@\n-old\n+new',
    '@@ class A\n@@ run()\n one\n-two\n+three\n four\n',
    '-old\r\n+new\r\n',
    '@@\n+last\n*** End of File',
    '+',
  ])('that updates a file is accepted: %j', (diff) => {
    equal(update(diff), undefined);
  });

  test.each([
    ['', /line 1/],
    ['new', /line 1/],
    ['@@\n-old\nnew', /line 3/],
    ['@@\n-old\n\n+new', /line 3/],
    ['*** Begin Patch\n+new', /line 1/],
    ['@@\n same', /changes no line/],
  ])('that updates a file is refused with its line: %j', (diff, message) => {
    match(update(diff) ?? '', message);
  });

  test('that makes a file has added lines alone', () => {
    equal(create('+one\n+\n+two\n'), undefined);
    match(create('+one\ntwo') ?? '', /line 2/);
    match(create('+one\n\n+two') ?? '', /line 2/);
    match(create('') ?? '', /line 1/);
  });

  test('names a file', () => {
    equal(patchProblem({ type: 'delete_file', path: 'a.ts' }), undefined);
    for (const path of ['', ' \t'])
      match(patchProblem({ type: 'delete_file', path }) ?? '', /path/);
  });

  test('of a megabyte is checked in linear time', () => {
    equal(update(`@@\n${'+x\n'.repeat(300_000)}`), undefined);
    match(update(`${'+x\n'.repeat(300_000)}x`) ?? '', /line 300001/);
  });
});
