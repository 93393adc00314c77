/** A user's feedback about a generation, kept once per feedbackId. */
export interface Feedback {
  readonly accountId: string;
  readonly feedbackId: string;
  readonly generationId: string;
  readonly category: string;
  readonly comment: string;
  /** Whose key said it. */
  readonly keyHash: string;
}

const categories = new Set([
  'latency',
  'incoherence',
  'incorrect_response',
  'formatting',
  'billing',
  'api_error',
  'other',
]);
const commentCharactersMax = 1_000;
const uuidPattern = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;
const tokenPattern = /^[A-Za-z0-9_-]{1,128}$/;

/** Why it cannot be kept; undefined when it can. */
export function feedbackProblem(feedback: Feedback): string | undefined {
  const { accountId, feedbackId, category, comment, keyHash } = feedback;
  if (!uuidPattern.test(feedbackId)) return 'feedback_id is no UUID';
  if (!tokenPattern.test(accountId)) return 'account_id is missing or malformed';
  if (!tokenPattern.test(keyHash)) return 'key_hash is missing or malformed';
  if (!categories.has(category)) return 'category is not known';
  if (Array.from(comment).length > commentCharactersMax || comment.includes('\0'))
    return 'comment is too long or holds a zero byte';
  return undefined;
}
