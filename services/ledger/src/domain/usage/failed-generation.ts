import { isInstant, type UsageFact } from '@sluice/usage-facts';
import { keptDetails, type UsageDetails } from './usage-details.ts';

/** A replica's report of a generation that gave no output. */
export type FailedGeneration = Omit<UsageDetails, 'specialTokens' | 'prices' | 'toolType'> &
  Pick<
    UsageFact,
    | 'generationId'
    | 'requestId'
    | 'workspaceId'
    | 'keyHash'
    | 'model'
    | 'provider'
    | 'isByok'
    | 'streamed'
    | 'outcome'
    | 'admittedAt'
    | 'completedAt'
  >;

const textCharactersMax = 512;
const turnsMax = 1_000;
const idPattern = /^[\x21-\x7e]{1,256}$/;
const tokenPattern = /^[A-Za-z0-9_-]{1,128}$/;

/**
 * Returns the record of a generation that gave no output: nothing was used and nothing is charged, whatever the
 * report says. undefined: the report is malformed.
 */
export function failedGeneration(accountId: string, told: FailedGeneration) {
  const { generationId, workspaceId, keyHash, admittedAt, completedAt } = told;
  const isKnown =
    idPattern.test(generationId) &&
    [accountId, workspaceId, keyHash].every((token) => tokenPattern.test(token)) &&
    [admittedAt, completedAt].every(isInstant);
  if (!isKnown) return undefined;
  const ofTurn = { ...told, specialTokens: {}, prices: {}, toolType: '' };
  const {
    specialTokens: _counts,
    prices: _prices,
    toolType: _type,
    ...details
  } = keptDetails(ofTurn);
  return {
    generationId,
    requestId: kept(told.requestId),
    workspaceId,
    keyHash,
    model: kept(told.model),
    provider: kept(told.provider),
    upstreamId: '',
    ...nothingUsed,
    isByok: told.isByok,
    streamed: told.streamed,
    outcome: told.outcome === 'cancelled' ? 'cancelled' : 'failed',
    finishReason: '',
    admittedAt,
    completedAt,
    ...details,
    latencyMs: undefined,
    serviceTier: '',
    attempts: details.attempts.map((attempt) => ({
      ...attempt,
      turn: 0,
      upstreamId: '',
      serviceTier: '',
    })),
    byokNanoUsd: undefined,
    turns: [],
    toolCalls: [],
    appCategories: [...details.appCategories],
  };
}

/** Returns the turn of a report, from 1. A report of an earlier release names none. undefined: it is malformed. */
export function failedTurn(told: number): number | undefined {
  return told >= 0 && told <= turnsMax ? Math.max(1, told) : undefined;
}

const nothingUsed = {
  inputTokens: 0n,
  cachedTokens: 0n,
  outputTokens: 0n,
  reasoningTokens: 0n,
  costNanoUsd: 0n,
  feeNanoUsd: 0n,
  inputMedia: 0n,
  inputAudio: 0n,
  outputMedia: 0n,
  imageOutputTokens: 0n,
  estimated: false,
};

function kept(text: string): string {
  return text.slice(0, textCharactersMax).replaceAll('\0', '').toWellFormed();
}
