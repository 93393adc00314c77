import { type Check, checkOf } from '../checked-stream/broken-rule.ts';

/** The rules of every stream of a response, each by its name. */
export const streamRules = {
  frames: 'a frame is a comment, or an event line that names the type in the data line after it',
  'known-event': 'an event has a known type, all the fields of that type and no other',
  'sequence-number': 'events are numbered from 0 without a gap',
  opening: 'the response is created, then in progress, once each, before all but debug events',
  'debug-first': 'a debug event comes before any output, and if there is one the stream opens so',
  'opening-snapshot': 'a response that opens has no output, no usage, no error and no end',
  'same-response': 'all snapshots are of one response: its id and what it was asked never change',
  'generation-id': 'the id of the response has the tail of the generation id in the header',
  'items-in-order': 'items open in the order of their output index, from 0 without a gap',
  'item-open': 'an event of an item comes after the item opened and before it is done',
  'item-id': 'an id is of one item alone, and never changes',
  'item-begins-empty': 'an item opens in progress and empty',
  'item-kind': 'an item has events of its kind alone, and is done as what it opened as',
  'parts-in-order':
    'parts of an item open one after the other, by their index from 0 without a gap',
  'part-open': 'an event of a part comes after the part opened and before its text is done',
  'part-kind': 'a part has events of its kind alone, and is done as what it opened as',
  'progress-in-order':
    'the steps of a call that a server runs come in order, each once, and a call that is completed says so',
  'text-done-once': 'a text is done once, and nothing is added to it then',
  'deltas-add-up':
    'the deltas add up to the text that is done, to its part, its item and the snapshot',
  annotations: 'annotations are numbered from 0 without a gap, and all of them stand in the part',
  logprobs: 'the logprobs of the deltas add up to those that are done and to those of the part',
  'all-closed': 'what opened is done before what it stands in, unless the response failed',
  'snapshot-output': 'the last snapshot has every item as it was done, and no other',
  terminal: 'one event ends the response, the last one, with the status that it is named after',
  usage: 'usage is told at the end alone, and always when a response did not fail',
  outcome: 'an error is of a failed response alone, and details of one that is incomplete',
  'error-event': 'an error event stands in for the end of a response only where it is expected',
  'done-mark': 'the mark [DONE] comes last, once',
} as const;

export type StreamRule = keyof typeof streamRules;

export const rule: Check<StreamRule> = checkOf(streamRules);
