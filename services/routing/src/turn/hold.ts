import { isRejection, type Rejection } from '@sluice/errors';
import { budgetedOutputTokensMin, dropsThinking, nativeCallsMaxOf } from '@sluice/providers';
import { admit } from '../admission/admit.ts';
import type { Admission } from '../admission/admission.ts';
import { type InputMeasure, type InputMedia, inputMeasure } from '../admission/input-bound.ts';
import { readingsMax } from '../admission/readings.ts';
import { askedOf } from '../admission/output-limit.ts';
import { budgetedPlan } from '../selection/plan.ts';
import type { TurnDeps } from './deps.ts';
import type { NativeToolUse } from '../tools/native.ts';
import { withNativeTools } from './native-tools.ts';
import type { HeldTurn, Turn } from './turn.ts';

/**
 * Holds the worst case of a turn, measured on its canonical request. Returns a Rejection if the caller's budgets lack
 * it. An alias may name a model that goes on then: its worst case is held in the same budgets. Throws unavailable if
 * the ledger does not answer.
 */
export function holdTurn(deps: TurnDeps, turn: Turn): Holding | Promise<Holding> {
  return turn.plan.isBudgeted ? holdBudgeted(deps, turn) : holdPlan(deps, turn);
}

type Holding = HeldTurn | Rejection;

async function holdBudgeted(deps: TurnDeps, turn: Turn): Promise<Holding> {
  const [usual, cheaper] = [budgetedPlan(turn.plan, false), budgetedPlan(turn.plan, true)];
  const held = usual && (await holdPlan(deps, { ...turn, plan: usual }));
  if (!cheaper || (held && !isRejection(held))) return held ?? (await holdPlan(deps, turn));
  const budgetRefusal = held && { budgetRefusal: held.rejected };
  const next = await holdPlan(deps, { ...turn, plan: { ...cheaper, ...budgetRefusal } });
  return isRejection(next) && held ? held : next;
}

/** Holds the worst case of a plan: at once if the leases have it. */
function holdPlan(deps: TurnDeps, turn: Turn): Holding | Promise<Holding> {
  const { call, policy, plan, request } = turn;
  const endpoints = plan.attempts.map(({ endpoint }) => endpoint);
  const measured = inputMeasure(request, endpoints);
  const natives = nativeBounds(turn);
  const input = natives ? { ...measured, natives } : measured;
  const admitting = admit(deps, {
    principal: call.principal,
    policy,
    attempts: plan.attempts,
    input,
    outputTokensMax: request.maxOutputTokens,
    words: turn.words,
    thinkingTokensMin: thinkingTokensMin(turn),
  });
  if (!(admitting instanceof Promise)) return heldTurn(turn, input, admitting);
  return admitting.then((admission) => {
    // The searches of an endpoint are held at their worst. Those of the service are held one by one.
    if (isRejection(admission) && isAnySearch(turn)) return holdPlan(deps, withoutSearch(turn));
    return isRejection(admission) ? admission : heldTurn(turn, input, admission);
  });
}

function heldTurn(turn: Turn, input: InputMeasure & InputMedia, admission: Admission): HeldTurn {
  const { plan, request } = turn;
  const { held, attempts, outputTokensMax } = admission;
  const first = attempts[0] ?? plan.attempts[0];
  const isOpenEnded = request.maxOutputTokens === undefined;
  const maxOutputTokens = outputTokensMax === Infinity ? undefined : outputTokensMax;
  const isAsAsked = maxOutputTokens === request.maxOutputTokens;
  const limited = isAsAsked ? request : { ...request, maxOutputTokens };
  const { inputTokens } = turn;
  const isThinking = request.options?.reasoning !== undefined;
  const asked = isThinking && askedOf({ request: limited, isOpenEnded, inputTokens }, first);
  return {
    ...turn,
    request: limited,
    held,
    attempts,
    first,
    isOpenEnded,
    dropsThinking: asked && dropsThinking(first.endpoint.endpoint, asked),
    inputImages: input.imagesMax,
    inputMedia: input,
    startedMs: performance.now(),
  };
}

function thinkingTokensMin({ plan, request }: Turn): number {
  if (request.options?.reasoning?.tokensMax === undefined) return 0;
  return Math.max(
    ...plan.attempts.map(({ endpoint }) => budgetedOutputTokensMin(endpoint.endpoint, request)),
  );
}

/** Returns the bounds of the endpoints that run tools in the place of the service. undefined: there are none. */
function nativeBounds({ natives, plan, request }: Turn): InputMeasure['natives'] {
  if (!natives) return undefined;
  const bounds = new Map(
    plan.attempts.flatMap(({ endpoint: { id, endpoint } }) => {
      const native = withNativeTools(request, natives, endpoint);
      if (native === request) return [];
      const webSearchesMax = isAnySearch({ natives }) ? (nativeCallsMaxOf(native) ?? 0) : 0;
      return [[id, { readingsMax: readingsMax(native), webSearchesMax }] as const];
    }),
  );
  return bounds.size > 0 ? bounds : undefined;
}

function isAnySearch({ natives }: Pick<Turn, 'natives'>): boolean {
  return [...(natives?.values() ?? [])].some(isSearch);
}

/** Returns the turn whose searches are those of the service. */
function withoutSearch(turn: Turn): Turn {
  const natives = new Map([...(turn.natives ?? [])].filter(([, use]) => !isSearch(use)));
  return { ...turn, natives };
}

const isSearch = ({ kind }: NativeToolUse) => kind === 'web_search';
