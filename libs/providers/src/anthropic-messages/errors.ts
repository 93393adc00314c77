import { asObject, asString, type JsonObject } from '../json-reader.ts';
import { openAiError, openAiErrorWord } from '../openai-error.ts';
import { providerCodeOf, type UpstreamError } from '../upstream-error.ts';

/** What a failed call means: `{"type": "error", "error": {"type", "message"}}`. */
export function messagesError(status: number, body: unknown): UpstreamError {
  return tooLong(openAiError(status, body), asObject(asObject(body)?.['error']));
}

/** What an `error` event in a stream means. */
export function messagesStreamError(event: JsonObject): UpstreamError {
  const error = asObject(event['error']) ?? {};
  const meant = openAiErrorWord({ ...error, code: wordOf(error['type']) });
  return tooLong({ ...meant, providerCode: providerCodeOf(error['type']) }, error);
}

/** Its words for what other servers have codes for. */
function wordOf(type: unknown): unknown {
  switch (type) {
    case 'overloaded_error':
      return '529';
    case 'rate_limit_error':
      return '429';
    case 'request_too_large':
      return '400';
    default:
      return type;
  }
}

/** It has no code for a prompt beyond the context window. */
function tooLong(error: UpstreamError, said: JsonObject | undefined): UpstreamError {
  const isTooLong =
    error.code === 'invalid_request' &&
    /prompt is too long/i.test(asString(said?.['message']) ?? '');
  return isTooLong ? { ...error, code: 'context_length_exceeded' } : error;
}
