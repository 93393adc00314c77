import { isRejection, type Rejection } from '@sluice/errors';
import type { Principal } from '@sluice/inference';
import type { Hold, SpendRefusal } from '@sluice/spend';
import type { Model } from '../catalog/catalog.ts';
import type { Pipeline } from './deps.ts';
import {
  affordableOutputTokens,
  inputTokensMax,
  outputTokensWanted,
  worstCaseNanoUsd,
} from './worst-case.ts';

export interface Asked {
  readonly principal: Principal;
  readonly model: Model;
  readonly bodyBytes: number;
  /** The client's own limit. */
  readonly outputTokensMax: number | undefined;
}

/** A request that may run: the worst it can cost is held. */
export interface Admission {
  readonly hold: Hold;
  /** What the hold pays for: sent upstream as the limit. */
  readonly outputTokensMax: number;
}

/** Providers refuse limits below this; who cannot afford it is out of money. */
const outputTokensMin = 16;

/**
 * Holds the worst case of a request, or says why not. A client that named no limit gets the output that
 * is affordable; one that named a limit is told what would be. Throws when nobody knows the standing.
 */
export async function admit(
  pipeline: Pick<Pipeline, 'gate' | 'standings' | 'clock' | 'metrics'>,
  asked: Asked,
): Promise<Admission | Rejection> {
  const { standings, metrics } = pipeline;
  const { principal } = asked;
  const waiting = standings.ready(principal);
  if (waiting) await waiting;
  let answer = tryHold(pipeline, asked);
  // Nothing is refused on old news: what is affordable may have grown meanwhile.
  if (!isWhole(answer, asked) && (await standings.again(principal))) {
    if (!isRejection(answer)) pipeline.gate.release(answer.hold);
    answer = tryHold(pipeline, asked);
  }
  if (isRejection(answer)) metrics.spendRefusals.add(1, { reason: answer.rejected });
  return answer;
}

function isWhole(answer: Admission | Rejection, { outputTokensMax, model }: Asked): boolean {
  if (isRejection(answer)) return false;
  return answer.outputTokensMax === outputTokensWanted(outputTokensMax, model);
}

function tryHold(
  { gate, clock }: Pick<Pipeline, 'gate' | 'clock'>,
  asked: Asked,
): Admission | Rejection {
  const { principal, model } = asked;
  const at = clock.now();
  const inputTokens = inputTokensMax(asked.bodyBytes);
  const wanted = outputTokensWanted(asked.outputTokensMax, model);
  const hold = gate.hold(principal, worstCaseNanoUsd(model, inputTokens, wanted), at);
  if (!isRejection(hold)) return { hold, outputTokensMax: wanted };
  const affordable = affordableOutputTokens(
    model,
    inputTokens,
    gate.affordableNanoUsd(principal, at),
  );
  if (affordable < Math.min(outputTokensMin, wanted)) return hold;
  if (asked.outputTokensMax !== undefined) return tooManyTokens(hold, wanted, affordable);
  const clamped = Math.min(wanted, affordable);
  const smaller = gate.hold(principal, worstCaseNanoUsd(model, inputTokens, clamped), at);
  return isRejection(smaller) ? smaller : { hold: smaller, outputTokensMax: clamped };
}

function tooManyTokens(refusal: SpendRefusal, wanted: number, affordable: number): Rejection {
  return {
    rejected: 'token_limit_exceeded',
    message:
      `${refusal.message}: ${String(wanted)} output tokens were asked for, ` +
      `${String(affordable)} are affordable`,
    metadata: {
      ...refusal.metadata,
      max_output_tokens: wanted,
      affordable_output_tokens: affordable,
    },
  };
}
