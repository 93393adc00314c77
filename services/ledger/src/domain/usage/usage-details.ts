import type { UsageFact } from '@sluice/usage-facts';

/** The part of a fact that is kept beside its counts. An empty text means unknown. */
export type UsageDetails = Pick<
  UsageFact,
  | 'nativeFinishReason'
  | 'endpointId'
  | 'latencyMs'
  | 'userId'
  | 'externalUser'
  | 'sessionId'
  | 'httpReferer'
  | 'userAgent'
  | 'attempts'
  | 'specialTokens'
  | 'prices'
  | 'routing'
  | 'serviceTier'
  | 'trace'
  | 'appTitle'
  | 'appCategories'
  | 'guardrailInvoked'
  | 'moderationLatencyMs'
  | 'apiType'
  | 'app'
  | 'toolType'
  | 'responseCacheSourceId'
>;

export type RepeatDetails = Pick<
  UsageDetails,
  'externalUser' | 'sessionId' | 'trace' | 'responseCacheSourceId'
>;

const textCharactersMax = 512;
const attemptsMax = 20;
const categoriesMax = 10;
const routingCharactersMax = 65_536;
const traceCharactersMax = 16_384;
const countsMax = 16;
const countNamePattern = /^[a-z][A-Za-z]{0,63}$/;
/** Numbers of at most 15 digits are exact in JSON. */
const countPattern = /^\d{1,15}$/;
/** A year. */
const latencyMsMax = 31_536_000_000n;

/** Caches the kept form of JSON texts, because the facts of a batch have many equal ones. */
export type KeptTexts = Map<string, string>;

/**
 * The details as they are kept. Whatever they are, the fact is counted: what is too long is cut off, and
 * what cannot be true is nothing.
 */
export function keptDetails(details: UsageDetails, texts: KeptTexts = new Map()): UsageDetails {
  return {
    nativeFinishReason: kept(details.nativeFinishReason),
    endpointId: kept(details.endpointId),
    latencyMs: keptLatency(details.latencyMs),
    userId: kept(details.userId),
    externalUser: kept(details.externalUser),
    sessionId: kept(details.sessionId),
    httpReferer: kept(details.httpReferer),
    userAgent: kept(details.userAgent),
    attempts: details.attempts.slice(0, attemptsMax).map((attempt) => ({
      provider: kept(attempt.provider),
      endpointId: kept(attempt.endpointId),
      errorCode: kept(attempt.errorCode),
      latencyMs: isLatency(attempt.latencyMs) ? attempt.latencyMs : 0n,
      isByok: attempt.isByok,
    })),
    specialTokens: keptCounts(details.specialTokens),
    prices: details.prices,
    serviceTier: kept(details.serviceTier),
    routing: keptJson(details.routing, routingCharactersMax, texts),
    trace: keptJson(details.trace, traceCharactersMax, texts),
    appTitle: kept(details.appTitle),
    appCategories: details.appCategories.slice(0, categoriesMax).map(kept),
    guardrailInvoked: details.guardrailInvoked,
    moderationLatencyMs: keptLatency(details.moderationLatencyMs),
    apiType: kept(details.apiType),
    app: kept(details.app),
    toolType: kept(details.toolType),
    responseCacheSourceId: kept(details.responseCacheSourceId),
  };
}

/** Returns those of `keptDetails` that each repeated answer has of its own. */
export function keptDetailsOfRepeat(
  details: RepeatDetails,
  texts: KeptTexts = new Map(),
): RepeatDetails {
  return {
    externalUser: kept(details.externalUser),
    sessionId: kept(details.sessionId),
    trace: keptJson(details.trace, traceCharactersMax, texts),
    responseCacheSourceId: kept(details.responseCacheSourceId),
  };
}

function kept(text: string): string {
  const isFit = text.length <= textCharactersMax && !text.includes('\0') && text.isWellFormed();
  if (isFit) return text;
  return text.slice(0, textCharactersMax).replaceAll('\0', '').toWellFormed();
}

/** Escapes of what no table keeps: U+0000 and halves of a pair. */
const unkeepable = /\\u(?:0000|d[89a-f])/i;

/** Returns an empty text if the text is too long, is no JSON object or cannot be stored. */
function keptJson(text: string, charactersMax: number, texts: KeptTexts): string {
  if (text === '' || text.length > charactersMax) return '';
  let known = texts.get(text);
  if (known === undefined) {
    known = isKeepable(text) ? text : '';
    texts.set(text, known);
  }
  return known;
}

function isKeepable(text: string): boolean {
  if (unkeepable.test(text) || !text.isWellFormed()) return false;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}

function keptCounts(counts: UsageDetails['specialTokens']): UsageDetails['specialTokens'] {
  const known: Record<string, string> = {};
  let left = countsMax;
  for (const name of Object.keys(counts)) {
    const text = counts[name] ?? '';
    if (left === 0) break;
    if (!countNamePattern.test(name) || !countPattern.test(text)) continue;
    known[name] = text;
    left -= 1;
  }
  return known;
}

function keptLatency(latencyMs: bigint | undefined): bigint | undefined {
  return isLatency(latencyMs) ? latencyMs : undefined;
}

function isLatency(latencyMs: bigint | undefined): boolean {
  return latencyMs !== undefined && latencyMs >= 0n && latencyMs <= latencyMsMax;
}
