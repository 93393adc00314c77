/** What a fact says beside what is counted of it. An empty text: nothing is known. */
export interface UsageDetails {
  readonly nativeFinishReason: string;
  readonly endpointId: string;
  /** From the admission to the first output. */
  readonly latencyMs?: bigint | undefined;
  readonly userId: string;
  readonly externalUser: string;
  readonly sessionId: string;
  readonly httpReferer: string;
  readonly userAgent: string;
  readonly attempts: readonly UsageAttempt[];
  /** Counts of tokens that may have a price of their own, by name, in digits. */
  readonly specialTokens: Readonly<Record<string, string>>;
  /** JSON: how the endpoint was chosen. */
  readonly routing: string;
  /** That served. */
  readonly serviceTier: string;
}

export interface UsageAttempt {
  readonly provider: string;
  readonly endpointId: string;
  /** Empty: it gave output. */
  readonly errorCode: string;
  readonly latencyMs: bigint;
  readonly isByok: boolean;
}

const textCharactersMax = 512;
const attemptsMax = 20;
const routingCharactersMax = 65_536;
const countsMax = 16;
const countNamePattern = /^[a-z][A-Za-z]{0,63}$/;
/** As a number of JSON it is exact. */
const countPattern = /^\d{1,15}$/;
/** A year. */
const latencyMsMax = 31_536_000_000n;

/**
 * The details as they are kept. Whatever they are, the fact is counted: what is too long is cut off, and
 * what cannot be true is nothing.
 */
export function keptDetails(details: UsageDetails): UsageDetails {
  return {
    nativeFinishReason: kept(details.nativeFinishReason),
    endpointId: kept(details.endpointId),
    latencyMs: isLatency(details.latencyMs) ? details.latencyMs : undefined,
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
    routing: keptRouting(details.routing),
    serviceTier: kept(details.serviceTier),
  };
}

function kept(text: string): string {
  return text.slice(0, textCharactersMax).replaceAll('\0', '').toWellFormed();
}

/** What is too long or no JSON object is nothing. */
function keptRouting(text: string): string {
  if (text.length > routingCharactersMax || text.includes(String.raw`\u0000`)) return '';
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && text.isWellFormed() ? text : '';
  } catch {
    return '';
  }
}

function keptCounts(counts: UsageDetails['specialTokens']): UsageDetails['specialTokens'] {
  const known = Object.entries(counts).filter(
    ([name, text]) => countNamePattern.test(name) && countPattern.test(text),
  );
  return Object.fromEntries(known.slice(0, countsMax));
}

function isLatency(latencyMs: bigint | undefined): boolean {
  return latencyMs !== undefined && latencyMs >= 0n && latencyMs <= latencyMsMax;
}
