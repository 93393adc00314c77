import { isRejection, type Rejection } from '@sluice/errors';
import { pricesOfTool } from '@sluice/rating';
import { guardrailScopesOf } from '../admission/budgets-of.ts';
import { holdTool } from '../admission/hold-tool.ts';
import type { HeldWorst } from '../admission/hold-worst.ts';
import { costsOf, termsOf } from '../admission/split-hold.ts';
import type { ToolUse } from '../request/tool-use.ts';
import type { Charge } from '../usage/journal/charge.ts';
import type { Intent } from '../usage/journal/record.ts';
import type { TurnDeps } from './deps.ts';
import type { ToolCharge } from '../tools/tool.ts';
import { toolOutcome } from './tool-outcome.ts';
import type { Turn } from './turn.ts';

/** A call of a server tool that the model asked for. */
export interface CalledTool {
  /** Counts the calls of tools of the response, from 1. */
  readonly number: number;
  readonly type: `service:${string}` | `plugin:${string}`;
  /** The engine that answers. Empty: Sluice itself. */
  readonly engine: string;
  /** The model that asked for it. */
  readonly model: string;
  /** The most that the call can cost. 0: it is free, and nothing is held. */
  readonly worstNanoUsd: bigint;
  /** The account's own key of the engine, which no credits pay for. Absent: the platform's. */
  readonly credentialId?: string | undefined;
}

/** The end of a call. A failure is a result for the model, too. */
export interface RanTool<Result> {
  readonly result: Result;
  readonly isFailed: boolean;
  readonly charge: ToolCharge;
}

export interface ToolEnd<Result> {
  readonly result: Result;
  readonly use: ToolUse;
}

type ToolDeps = Pick<TurnDeps, 'spending' | 'journal' | 'clock' | 'metrics' | 'replica'>;
type ToolTurn = Pick<Turn, 'generationId' | 'usagePrefix' | 'call' | 'policy' | 'labels'> & {
  readonly request: Pick<Turn['request'], 'stream'>;
};

/**
 * Runs one call of a tool: hold, intent, run, settle. `run` gets the usage id of the call, which engines are sent.
 * Resolves when the usage fact is on disk. Returns a Rejection if the worst case cannot be held: nothing ran. A free
 * call holds nothing, and its fact is not awaited. If `run` throws, it is not known what the engine charges, and the
 * error is passed on.
 */
export async function runTool<Result>(
  deps: ToolDeps,
  turn: ToolTurn,
  tool: CalledTool,
  run: (callId: string) => Promise<RanTool<Result>>,
): Promise<ToolEnd<Result> | Rejection> {
  const held = await holdOf(deps, turn, tool);
  if (isRejection(held)) return held;
  const intent = intentOf(deps, turn, { tool, held });
  if (held) await begin(deps, held, intent);
  const startedMs = performance.now();
  const end = ({ isFailed, charge }: Pick<RanTool<Result>, 'isFailed' | 'charge'>) =>
    settleTool(deps, { held, intent, startedMs }, { isFailed, charge });
  let ran: RanTool<Result>;
  try {
    ran = await run(intent.usageId);
  } catch (error) {
    await end({ isFailed: true, charge: { costNanoUsd: 'unknown' } });
    throw error;
  }
  const charge = await end(ran);
  return { result: ran.result, use: useOf(held, charge, ran) };
}

async function holdOf(
  deps: ToolDeps,
  { call, policy }: ToolTurn,
  { worstNanoUsd, credentialId }: CalledTool,
): Promise<HeldWorst | Rejection | undefined> {
  if (worstNanoUsd === 0n) return undefined;
  return await holdTool(deps, {
    principal: call.principal,
    policy,
    worstNanoUsd,
    hasOwnCredential: credentialId !== undefined,
  });
}

/**
 * Writes the intent before an engine is called that may charge for it. It is on disk in each durability: the client
 * sees what the engine does while it runs.
 */
async function begin(
  { journal, spending }: ToolDeps,
  { hold }: HeldWorst,
  intent: Intent,
): Promise<void> {
  try {
    await journal.open(intent, { canWait: false }).durable;
  } catch (error) {
    spending.release(hold);
    throw error;
  }
}

interface Begun {
  readonly held: HeldWorst | undefined;
  readonly intent: Intent;
  readonly startedMs: number;
}

async function settleTool(
  { journal, spending, clock }: ToolDeps,
  { held, intent, startedMs }: Begun,
  { isFailed, charge: charged }: Pick<RanTool<unknown>, 'isFailed' | 'charge'>,
): Promise<Charge> {
  const latencyMs = Math.round(performance.now() - startedMs);
  const ended = toolOutcome(charged, { isFailed, latencyMs, completedAt: clock.now() });
  const { costNanoUsd } = charged;
  const prices = costNanoUsd === 'unknown' ? intent.prices : pricesOfTool(costNanoUsd);
  const settled = { ...intent, prices };
  if (!held) {
    const { charge, durable } = journal.settleAtOnce(settled, ended);
    durable.catch(() => {});
    return charge;
  }
  const { charge, durable } = journal.settle(settled, ended);
  spending.settle(held.hold, costsOf(held, charge));
  await durable;
  return charge;
}

function intentOf(
  { replica, clock }: ToolDeps,
  { generationId, usagePrefix = generationId, call, policy, labels, request }: ToolTurn,
  { tool, held }: { readonly tool: CalledTool; readonly held: HeldWorst | undefined },
): Intent {
  const { accountId, workspaceId, keyHash } = call.principal;
  const { number, type, engine, model, worstNanoUsd, credentialId } = tool;
  const credential = credentialId === undefined ? undefined : { id: credentialId };
  return {
    usageId: `${usagePrefix}/tool/${String(number)}`,
    generationId,
    requestId: call.requestId,
    traceparent: call.traceparent,
    accountId,
    workspaceId,
    keyHash,
    model,
    provider: engine,
    admittedAt: held?.hold.at ?? clock.now(),
    streamed: request.stream,
    inputTokens: 0,
    // The price of a call whose receipt names no amount.
    prices: pricesOfTool(worstNanoUsd),
    leaseEpoch: replica.epoch,
    ...(held ? termsOf(held, { model: { id: type }, credential }) : nothingHeld(credentialId)),
    guardrailScopes: guardrailScopesOf(policy),
    labels: { ...labels, apiType: 'tool', toolType: type },
  };
}

/** Returns the terms of a call without a price, which may be made with an own key all the same. */
function nothingHeld(credentialId: string | undefined): Pick<Intent, 'byok'> & typeof nothing {
  return { ...nothing, byok: credentialId === undefined ? undefined : { ...noFee, credentialId } };
}

const nothing = { holdNanoUsd: 0n, leaseNumbers: [] } as const;
const noFee = {
  freeHeldNanoUsd: 0n,
  feeBasisPoints: 0,
  feeLeaseNumbers: [],
  allowanceLeaseNumber: 0n,
} as const;

function useOf(
  held: HeldWorst | undefined,
  { costNanoUsd, feeNanoUsd, isByok }: Charge,
  { charge: { counts = {} } }: Pick<RanTool<unknown>, 'charge'>,
): ToolUse {
  return {
    requested: 1,
    executed: 1,
    webSearches: counts.searches ?? 0,
    costNanoUsd: held && (isByok ? feeNanoUsd : costNanoUsd),
  };
}
