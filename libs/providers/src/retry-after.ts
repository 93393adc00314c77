import { asArray, asObject, asString, type JsonObject } from './json-reader.ts';

/** The longest wait that Sluice passes to the client, in seconds. */
const secondsMax = 86_400;

/** The headers of a refusal that name a wait. */
export interface WaitHeaders {
  readonly retryAfter: string | undefined;
  /** `retry-after-ms`, of OpenAI and Azure. */
  readonly retryAfterMs?: string | undefined;
  readonly date?: string | undefined;
}

/**
 * Returns the whole seconds of `retry-after-ms`, or of `Retry-After`, given in seconds or as a date relative to the
 * reply's `Date`. Returns undefined if the headers are absent or invalid.
 */
export function retryAfterSeconds(headers: WaitHeaders): number | undefined {
  const { retryAfter, retryAfterMs, date } = headers;
  if (isNumber(retryAfterMs)) return bounded(Number(retryAfterMs) / 1000);
  if (retryAfter === undefined) return undefined;
  return isNumber(retryAfter)
    ? bounded(Number(retryAfter))
    : bounded((Date.parse(retryAfter) - Date.parse(date ?? '')) / 1000);
}

/** Returns the whole seconds of Google's `RetryInfo`, which stands among the details of an error: `"34.07s"`. */
export function retryInfoSeconds(error: JsonObject): number | undefined {
  for (const value of asArray(error['details'])) {
    const detail = asObject(value);
    const delay = asString(detail?.['retryDelay'])?.replace(/s$/, '');
    if (delay !== undefined && isNumber(delay)) return bounded(Number(delay));
  }
  return undefined;
}

function isNumber(text: string | undefined): text is string {
  return text !== undefined && /^\d{1,12}(\.\d{1,9})?$/.test(text);
}

function bounded(seconds: number): number | undefined {
  if (!Number.isFinite(seconds) || seconds < 0) return undefined;
  return Math.min(Math.ceil(seconds), secondsMax);
}
