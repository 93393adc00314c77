import { asObject, type JsonObject } from '../json-reader.ts';
import { openAiError } from '../openai-error.ts';
import { providerCodeOf, type UpstreamError } from '../upstream-error.ts';

/** Reads the error of a failed call: `{"error": {"code", "message", "status"}}`. */
export function geminiError(status: number, body: unknown): UpstreamError {
  // A failed stream answers with a list of one error.
  const object = asObject(Array.isArray(body) ? body[0] : body);
  const error = asObject(object?.['error']) ?? {};
  return {
    ...openAiError(status, object),
    providerCode: providerCodeOf(error['status'], error['code']),
  };
}

/** Reads an error inside a stream. The error object contains its status. */
export function geminiStreamError(event: JsonObject): UpstreamError {
  const status = asObject(event['error'])?.['code'];
  return geminiError(typeof status === 'number' ? status : 500, event);
}
