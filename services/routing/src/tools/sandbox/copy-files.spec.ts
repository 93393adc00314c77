import { equal, ok } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { homeName } from './copy-files.ts';

describe('the name of a file in the home directory', () => {
  const id = 'svc_file_2a1fd2b66a554f0b9d4e5a3a1f6b7c8d';

  test.each([
    ['report.csv', '1f6b7c8d-report.csv'],
    ['Makefile', '1f6b7c8d-Makefile'],
    ['.env', '1f6b7c8d-.env'],
  ])('of %s is %s', (name, expected) => equal(homeName(id, name), expected));

  test('is one that Linux takes, and keeps its ending', () => {
    const named = homeName(id, `${'ü'.repeat(251)}.csv`);
    ok(Buffer.byteLength(named) <= 255);
    ok(named.endsWith('ü.csv'));
  });
});
