import type { GenerationFailed } from '@sluice/protos/sluice/generation/v1/generation_events';
import type { GuardrailDetected } from '@sluice/protos/sluice/guardrail/v1/detection_events';
import type { RequestRefused } from '@sluice/protos/sluice/request/v1/request_events';
import { amounts } from '../domain/amounts.ts';
import { variantOf } from '../domain/count-fact.ts';
import { type DimensionValues, dimensionsOf, noBins, type UsageRow } from '../domain/usage-row.ts';

/** Returns the row of a generation that gave no output. It stands for those that were not published, too. */
export function rowOfFailure(failure: GenerationFailed, countedAtMs: number): UsageRow {
  const { accountId, generationId, failureId, model, admittedAt, omitted } = failure;
  return row({
    accountId,
    factId: `failed/${failureId || generationId}`,
    at: admittedAt,
    countedAtMs,
    dimensions: {
      ...placesOf(failure),
      model,
      variant: variantOf(model),
      generation_id: generationId,
      external_user: failure.externalUser,
    },
    amounts: { failed_requests: 1n + bounded(omitted) },
  });
}

/** Returns the row of requests that were refused for one reason. */
export function rowOfRefusal(refusal: RequestRefused, countedAtMs: number): UsageRow {
  const { accountId, refusalId, lastAt, count } = refusal;
  return row({
    accountId,
    factId: `refused/${refusalId}`,
    at: lastAt,
    countedAtMs,
    dimensions: placesOf(refusal),
    amounts: { refused_requests: bounded(count) },
  });
}

/** Returns the row of a request that guardrails blocked. The usage fact of any other says that they found something. */
export function rowOfDetection(
  detected: GuardrailDetected,
  countedAtMs: number,
): UsageRow | undefined {
  const { accountId, detectionId, detectedAt, blocked } = detected;
  if (!blocked) return undefined;
  return row({
    accountId,
    factId: `detected/${detectionId}`,
    at: detectedAt,
    countedAtMs,
    dimensions: placesOf(detected),
    amounts: { blocked_requests: 1n, guardrail_requests: 1n },
  });
}

interface Event extends Pick<UsageRow, 'accountId' | 'factId' | 'countedAtMs'> {
  readonly at: string;
  readonly dimensions: Partial<DimensionValues>;
  readonly amounts: Parameters<typeof amounts>[0];
}

function row({ accountId, factId, at, countedAtMs, dimensions, amounts: given }: Event): UsageRow {
  return {
    accountId,
    factId: factId.replaceAll('\0', '').toWellFormed().slice(0, 300),
    revision: 0,
    atMs: Date.parse(at),
    countedAtMs,
    dimensions: dimensionsOf(dimensions),
    amounts: amounts(given),
    bins: noBins,
  };
}

function placesOf({
  keyHash,
  workspaceId,
}: {
  readonly keyHash: string;
  readonly workspaceId: string;
}): Partial<DimensionValues> {
  return { api_key_id: keyHash, workspace: workspaceId };
}

const countMax = 1_000_000_000n;

/** A count of a message is from 0 to a billion. */
function bounded(count: bigint): bigint {
  if (count < 0n) return 0n;
  return count > countMax ? countMax : count;
}
