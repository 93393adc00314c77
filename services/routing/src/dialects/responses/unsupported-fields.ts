import type { Fields } from './fields.ts';

/** Nothing is stored, so nothing can be referred to or fetched later. */
export function refuseUnstored(body: Fields): void {
  if (body.has('previous_response_id')) {
    body.refuse('previous_response_id', 'is not supported: responses are not stored');
  }
  if (body.boolean('store')) body.refuse('store', 'must be false: responses are not stored');
  if (body.boolean('background')) {
    body.refuse('background', 'must be false: responses are not stored');
  }
  if (body.has('conversation')) {
    body.refuse('conversation', 'is not supported: conversations are not stored');
  }
}

/** Refuses the fields of APIs that give several answers at once. */
export function refuseSeveralAnswers(body: Fields): void {
  if (body.has('n') && body.value('n') !== 1)
    body.refuse('n', 'must be 1: a response is one answer');
}
