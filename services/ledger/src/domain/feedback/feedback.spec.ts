import { equal } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { type Feedback, feedbackProblem } from './feedback.ts';

const feedback: Feedback = {
  accountId: 'acct_1',
  feedbackId: '0190a000-0000-7000-8000-000000000001',
  generationId: 'gen-1',
  category: 'latency',
  comment: 'Slow.\nVery slow.',
  keyHash: 'key1',
};

describe('feedback', () => {
  test('is kept when it is whole', () => {
    equal(feedbackProblem(feedback), undefined);
    equal(feedbackProblem({ ...feedback, comment: '🚀'.repeat(1_000) }), undefined);
  });

  test.each([
    { feedbackId: 'one' },
    { accountId: '' },
    { keyHash: 'a b' },
    { category: 'price' },
    { category: '' },
    { comment: 'c'.repeat(1_001) },
    { comment: 'a\0b' },
  ])('is refused with %o', (wrong) =>
    equal(typeof feedbackProblem({ ...feedback, ...wrong }), 'string'),
  );
});
