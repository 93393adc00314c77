import { type Check, checkOf } from '../checked-stream/broken-rule.ts';

/** The rules of every stream of chat completion chunks, each by its name. */
export const chatRules = {
  frames: 'a frame is a comment, or one data line with JSON or [DONE]',
  shape: 'a chunk has an id, the object chat.completion.chunk, a time, a model and choices',
  'same-completion': 'all chunks have one id and one time',
  'generation-id': 'the id is the generation id in the header',
  'debug-alone': 'a chunk without a choice before the end carries a debug report, and nothing else',
  'role-first': 'the first delta names the role, and no other does',
  'no-empty-delta': 'a delta between the first and the last says something',
  'calls-in-order': 'calls begin in the order of their index, from 0 without a gap',
  'call-begins': 'the first delta of a call names it, and only that one does',
  'call-kind': 'a call has deltas of its kind alone',
  'call-arguments': 'the arguments of an answer that ends with calls are JSON',
  'thoughts-in-order': 'thoughts begin in the order of their index, from 0 without a gap',
  'thought-marks': 'details have a format and an id, which those of one index share',
  'reasoning-twice': 'reasoning is the text of its details',
  'finish-once':
    'one chunk has a finish reason; after it come that of the usage and an error alone',
  'finish-word': 'a finish reason is one of the known ones, and fits what was told',
  'usage-last': 'the last chunk alone has usage, which adds up, and no choice',
  'error-last': 'an error stands alone in the last event, after the finish reason error',
  'done-mark': 'the mark [DONE] comes last, once',
} as const;
export type ChatRule = keyof typeof chatRules;

export const chatRule: Check<ChatRule> = checkOf(chatRules);
