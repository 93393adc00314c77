import { deepEqual, equal, ok } from 'node:assert/strict';
import { isRejection } from '@sluice/errors';
import { describe, test } from 'vitest';
import { createCatalog } from '../catalog/catalog.ts';
import { sampleModel } from '../testing/sample-models.ts';
import { findCandidates } from './find-candidates.ts';

const models = [
  sampleModel('a/b', { aliases: ['~a/latest'] }),
  sampleModel('a/b-pro'),
  sampleModel('a/c'),
];
const find = (wantsPro: boolean, ...names: readonly string[]) =>
  findCandidates(
    { models: names, wantsPro },
    { catalog: createCatalog(models, []), now: () => new Date(0), inputTokens: 1 },
  );
const served = (...of: Parameters<typeof find>) => {
  const found = find(...of);
  ok(!isRejection(found), 'somebody is found');
  return found.candidates.map(({ model }) => model.id);
};

describe('a model that is to think longest', () => {
  test('is the sibling of the one that is named', () => {
    deepEqual(served(true, 'a/b'), ['a/b-pro']);
    deepEqual(served(true, '~a/latest:nitro'), ['a/b-pro']);
    deepEqual(served(true, 'a/b-pro'), ['a/b-pro']);
    deepEqual(served(true, 'a/c', 'a/b'), ['a/b-pro']);
    deepEqual(served(false, 'a/b'), ['a/b']);
  });

  test('cannot be one that has no such sibling, and not one that does not exist', () => {
    const refusal = find(true, 'a/c', 'nobody/nothing');
    ok(isRejection(refusal));
    equal(refusal.message, 'Invalid request: reasoning.mode: this model has no pro mode');
    const unknown = find(true, 'nobody/nothing');
    ok(isRejection(unknown) && unknown.rejected === 'model_not_found');
  });
});
