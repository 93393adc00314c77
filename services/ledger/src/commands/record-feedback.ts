import { Fault } from '@sluice/errors';
import type { Database } from '@sluice/read-model';
import { type Feedback, feedbackProblem } from '../domain/feedback/feedback.ts';

const generation = `
  SELECT 1 WHERE
    EXISTS (SELECT FROM usage_facts WHERE account_id = $1 AND generation_id = $2)
    OR EXISTS (SELECT FROM failed_generations WHERE account_id = $1 AND generation_id = $2)`;

const insert = `
  INSERT INTO feedback (account_id, feedback_id, generation_id, category, comment, key_hash)
  VALUES ($1, $2, $3, $4, $5, $6)
  ON CONFLICT (account_id, feedback_id) DO NOTHING`;

/**
 * Keeps what was said about a generation of the account, once per id. Throws invalid_request, and
 * not_found while the account has no such generation.
 */
export async function recordFeedback(database: Database, feedback: Feedback): Promise<void> {
  const problem = feedbackProblem(feedback);
  if (problem !== undefined) throw new Fault('invalid_request', { message: problem });
  const { accountId, feedbackId, generationId, category, comment, keyHash } = feedback;
  const [found] = await database.query({
    name: 'find-generation',
    text: generation,
    values: [accountId, generationId],
  });
  if (!found) throw new Fault('not_found');
  await database.query({
    name: 'insert-feedback',
    text: insert,
    values: [accountId, feedbackId, generationId, category, comment, keyHash],
  });
}
