import { equal } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { buffersOf } from './settings.ts';

const mebibyte = 1_048_576;

describe('the memory of PostgreSQL for its pages', () => {
  test('is an eighth of that of the machine, between 128 and 512 MB', () => {
    const found = [512, 1_024, 2_000, 4_096, 65_536].map((size) => buffersOf(size * mebibyte));
    equal(found.map((bytes) => bytes / mebibyte).join(' '), '128 128 250 512 512');
  });
});
