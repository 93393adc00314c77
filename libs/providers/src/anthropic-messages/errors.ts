import { asObject, type JsonObject } from '../json-reader.ts';
import { openAiError, openAiErrorWord } from '../openai-error.ts';
import { providerCodeOf, type UpstreamError } from '../upstream-error.ts';

/** Reads the error of a failed call: `{"type": "error", "error": {"type", "message"}}`. */
export function messagesError(status: number, body: unknown): UpstreamError {
  return openAiError(status, body);
}

/** Reads an `error` event of a stream. */
export function messagesStreamError(event: JsonObject): UpstreamError {
  const error = asObject(event['error']) ?? {};
  const meant = openAiErrorWord({ ...error, code: wordOf(error['type']) });
  return { ...meant, providerCode: providerCodeOf(error['type']) };
}

/** Maps error types of the API to the codes that other servers use. */
function wordOf(type: unknown): unknown {
  switch (type) {
    case 'overloaded_error':
      return '529';
    case 'rate_limit_error':
      return '429';
    case 'request_too_large':
      return '413';
    default:
      return type;
  }
}
