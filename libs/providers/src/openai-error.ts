import { catalog, type ErrorCode } from '@sluice/errors';
import { errorObject } from './error-object.ts';
import { asObject, asString, type JsonObject } from './json-reader.ts';
import { requestFault } from './request-faults.ts';
import { retryInfoSeconds } from './retry-after.ts';
import { providerCodeOf, publicMessage, type UpstreamError } from './upstream-error.ts';

/**
 * Reads the error of a failed call, for every server that answers `{"error": {message, code, type}}`. Clients see the
 * upstream's message only if it is about the client's request.
 */
export function openAiError(sent: number, body: unknown): UpstreamError {
  const error = errorObject(body);
  const status = sent === 400 && tellsBadKey(error) ? 401 : sent;
  const providerCode = providerCodeOf(error['code'], error['type']);
  const fault = isFlagged(error)
    ? 'content_policy_violation'
    : requestFault(providerCode, error['message']);
  const code = codeOfStatus(status, fault);
  const message = isAboutOurCredential(code)
    ? 'The provider does not accept the credential it was called with'
    : messageOf(code, error['message']);
  return { code, providerCode, message, ...waitOf(error) };
}

/** Reads an error object without a status: inside a stream, or in a 200. */
export function openAiErrorWord(error: JsonObject): UpstreamError {
  const providerCode = providerCodeOf(error['code'], error['type']);
  const code =
    requestFault(providerCode, error['message']) ??
    codeOfWord(providerCode, asString(error['type']));
  return { code, providerCode, message: messageOf(code, error['message']), ...waitOf(error) };
}

function waitOf(error: JsonObject): Pick<UpstreamError, 'waitSeconds'> {
  const waitSeconds = error['details'] === undefined ? undefined : retryInfoSeconds(error);
  return waitSeconds === undefined ? {} : { waitSeconds };
}

const badKeyPattern =
  /\b(?:incorrect|invalid) api[ _-]?key\b|\bapi[ _-]?key (?:is )?(?:not valid|invalid|incorrect|expired)\b/i;

/** Returns true if a message is about the key. Some servers answer 400 to a wrong key. */
function tellsBadKey(error: JsonObject): boolean {
  return badKeyPattern.test(asString(error['message'])?.slice(0, messageCharactersMax) ?? '');
}

const messageCharactersMax = 2_000;

function isAboutOurCredential(code: ErrorCode): boolean {
  return code === 'provider_rejected';
}

/** Returns true if a router moderated the request for the provider. */
function isFlagged(error: JsonObject): boolean {
  return asObject(error['metadata'])?.['flagged_input'] !== undefined;
}

/** The statuses of refusals that are about the request. */
const requestStatuses: ReadonlySet<number> = new Set([400, 413, 422]);

function messageOf(code: ErrorCode, text: unknown): string {
  const isAboutTheRequest = requestStatuses.has(catalog[code].http);
  return (isAboutTheRequest ? publicMessage(text) : undefined) ?? catalog[code].message;
}

function codeOfStatus(status: number, fault: ErrorCode | undefined): ErrorCode {
  switch (status) {
    case 400:
      return fault ?? 'invalid_request';
    case 404:
      return fault ?? 'model_unavailable_upstream';
    case 413:
      return fault ?? 'payload_too_large';
    case 422:
      return fault ?? 'unprocessable';
    case 401:
    case 402:
      return 'provider_rejected';
    case 403:
      return fault === 'content_policy_violation' ? fault : 'provider_rejected';
    case 408:
    case 504:
    case 524:
      return 'provider_timeout';
    case 429:
      return 'provider_rate_limited';
    // Some servers of open models take a request that is too long for a failure of their own.
    case 500:
      return fault === 'context_length_exceeded' ? fault : 'provider_unavailable';
    case 503:
      return 'unavailable';
    case 529:
      return 'provider_overloaded';
    default:
      return 'provider_unavailable';
  }
}

function codeOfWord(word: string | undefined, type: string | undefined): ErrorCode {
  switch (word) {
    case 'rate_limit_exceeded':
    case '429':
      return 'provider_rate_limited';
    case 'invalid_prompt':
    case '400':
      return 'invalid_request';
    case 'model_not_found':
    case 'not_found_error':
    case '404':
      return 'model_unavailable_upstream';
    case '413':
      return 'payload_too_large';
    case '422':
      return 'unprocessable';
    case '529':
      return 'provider_overloaded';
    default:
      return type === 'invalid_request_error' ? 'invalid_request' : 'provider_unavailable';
  }
}
