import { type Check, checkOf } from '../checked-stream/broken-rule.ts';

/** The rules of every stream of events of a message, each by its name. */
export const messageRules = {
  frames: 'a frame is an event line that names the type in the data line after it, or a comment',
  shape: 'an event has a known type, and the fields of that type',
  'start-first': 'message_start comes first, once; only a ping or an error may stand before it',
  'start-empty': 'the message starts as one of the assistant, without content and without an end',
  'generation-id': 'the message and an error have the generation id in the header',
  'blocks-in-order': 'blocks open in the order of their index, from 0 without a gap',
  'one-block-open': 'a block opens after the one before it has stopped',
  'block-open': 'a delta and a stop are of the block that is open',
  'block-begins-empty': 'a block has a known kind, and starts empty',
  'block-kind': 'a block has deltas of its kind alone',
  'signature-last': 'a thought has at most one signature, after all of its text',
  'call-ids': 'each call has an id of its own and a name',
  'call-arguments': 'the input of an answer that ends with calls is JSON of an object',
  'served-calls': 'a call that the service ran has an input, and its result stands behind it',
  'all-stopped': 'every block has stopped before the end is told',
  'stop-word': 'a stop reason is one of the known ones, and fits the blocks',
  usage: 'usage counts tokens at the start and at the end, and the output never shrinks',
  'delta-once': 'message_delta comes once, after all blocks and before message_stop',
  'end-once': 'message_stop or an error comes last, once',
} as const;
export type MessageRule = keyof typeof messageRules;

export const messageRule: Check<MessageRule> = checkOf(messageRules);
