import { deepEqual, equal } from 'node:assert/strict';
import { sampleModel } from '@sluice/catalog/testing';
import { describe, test } from 'vitest';
import { scoreModels } from './score-models.ts';

const claude = sampleModel('anthropic/claude-x');
const deepseek = sampleModel('deepseek/x');
const own = sampleModel('house/own');
const vectors = sampleModel('house/vectors', { outputModalities: ['embeddings'] });
const listed = [claude, deepseek, own, vectors];

const orderOf = (shares: ReadonlyMap<string, number> | undefined, models = listed) =>
  [...scoreModels('code', models, shares)]
    .toSorted(([, one], [, other]) => other.score - one.score)
    .map(([id]) => id);

describe('the scores of models', () => {
  test('are those of the table while no use is known', () => {
    deepEqual(orderOf(undefined), ['anthropic/claude-x', 'deepseek/x']);
    deepEqual(orderOf(new Map()), orderOf(undefined));
    deepEqual(orderOf(new Map([['not/listed', 1]])), orderOf(undefined));
  });

  test('count the table and the use alike', () => {
    const shares = new Map([
      ['deepseek/x', 0.6],
      ['house/own', 0.3],
      ['house/vectors', 0.1],
    ]);
    deepEqual(orderOf(shares), ['deepseek/x', 'anthropic/claude-x', 'house/own']);
    const scores = scoreModels('code', listed, shares);
    deepEqual(
      [...scores].map(([id, { place, usageRank }]) => [id, place, usageRank]),
      [
        ['anthropic/claude-x', 0, undefined],
        ['deepseek/x', 7, 1],
        ['house/own', undefined, 2],
      ],
    );
  });

  test('are those of the use where the table knows no model', () => {
    const models = [sampleModel('house/a'), sampleModel('house/b')];
    deepEqual(orderOf(new Map([['house/b', 1]]), models), ['house/b', 'house/a']);
    equal(orderOf(undefined, models).length, 2);
  });
});
