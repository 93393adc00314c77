import { Fields, isObject } from './fields.ts';
import type { Issues } from './issues.ts';

const serviceTiers = ['auto', 'default', 'fast', 'flex', 'priority', 'scale', 'ultrafast'] as const;
const verbosities = ['low', 'medium', 'high', 'xhigh', 'max'] as const;

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
  for (const name of ['plugins', 'models', 'include']) body.unsupported(name, isEmptyArray);
  for (const name of ['provider', 'reasoning', 'image_config', 'trace']) {
    body.unsupported(name, asksForNothing);
  }
  for (const name of [
    'cache_control',
    'preset',
    'prompt',
    'prompt_cache_key',
    'prompt_cache_options',
    'route',
    'stop_server_tools_when',
  ]) {
    body.unsupported(name);
  }
  body.unsupported('n', (value) => value === 1);
  body.unsupported('modalities', isTextOnly);
  refusePenalties(body);
  refuseServiceTier(body);
  refuseTruncation(body);
  refuseDebug(body, issues);
  refuseTextOptions(body, issues);
}

function refusePenalties(body: Fields): void {
  for (const name of ['frequency_penalty', 'presence_penalty']) {
    if (body.number(name, { min: -2, max: 2 })) body.unsupported(name);
  }
  if (body.integer('top_logprobs', { min: 0, max: 20 })) body.unsupported('top_logprobs');
  if (body.integer('top_k', { min: 0, max: Number.MAX_SAFE_INTEGER }) !== undefined) {
    body.unsupported('top_k');
  }
}

/** `scale` is served by the default tier. */
function refuseServiceTier(body: Fields): void {
  const tier = body.oneOf('service_tier', serviceTiers);
  if (tier === undefined || tier === 'auto' || tier === 'default' || tier === 'scale') return;
  body.unsupported('service_tier');
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

function refuseTextOptions(body: Fields, issues: Issues): void {
  const text = body.object('text');
  if (!text) return;
  const fields = new Fields(text, { path: 'text', issues });
  if (fields.oneOf('verbosity', verbosities)) fields.unsupported('verbosity');
  const format = fields.object('format');
  if (!format) return;
  const formatFields = new Fields(format, { path: 'text.format', issues });
  if (!formatFields.has('type')) formatFields.refuse('type', 'is required');
  const type = formatFields.oneOf('type', ['text', 'json_object', 'json_schema']);
  if (type !== undefined && type !== 'text') formatFields.unsupported('type');
}

function isEmptyArray(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

function isTextOnly(value: unknown): boolean {
  return Array.isArray(value) && value.length === 1 && value[0] === 'text';
}

/** An object without a single value. */
function asksForNothing(value: unknown): boolean {
  return isObject(value) && Object.values(value).every((field) => field === null);
}
