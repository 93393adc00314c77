import { Fields, isObject } from './fields.ts';
import type { Issues } from './issues.ts';

/** Nothing is stored, so nothing can be referred to or fetched later. */
export function refuseUnstored(body: Fields): void {
  if (body.has('previous_response_id')) {
    body.refuse('previous_response_id', 'is not supported: responses are not stored');
  }
  if (body.boolean('store')) body.refuse('store', 'must be false: responses are not stored');
  if (body.boolean('background')) {
    body.refuse('background', 'must be false: responses are not stored');
  }
}

/** Refuses what the contract names and is not built yet, unless the value asks for nothing. */
export function refuseUnbuilt(body: Fields, issues: Issues): void {
  body.unsupported('plugins', isEmptyArray);
  body.unsupported('trace', asksForNothing);
  for (const name of ['preset', 'prompt', 'stop_server_tools_when']) body.unsupported(name);
  body.unsupported('n', (value) => value === 1);
  refuseTruncation(body);
  refuseDebug(body, issues);
}

function refuseTruncation(body: Fields): void {
  if (body.oneOf('truncation', ['auto', 'disabled']) === 'auto') body.unsupported('truncation');
}

function refuseDebug(body: Fields, issues: Issues): void {
  const debug = body.object('debug');
  if (!debug) return;
  const fields = new Fields(debug, { path: 'debug', issues });
  if (fields.boolean('echo_upstream_body')) fields.unsupported('echo_upstream_body');
}

function isEmptyArray(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

/** An object without a single value. */
function asksForNothing(value: unknown): boolean {
  return isObject(value) && Object.values(value).every((field) => field === null);
}
