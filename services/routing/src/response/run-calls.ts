import { isObject, type JsonObject, problemsOf } from '@sluice/client-schemas';
import type { AnswerPart, ToolItem } from '@sluice/inference';
import { boundItem, boundOutput, textOfOutput } from '../tools/bounds.ts';
import { limitsOf, type ToolLimits } from '../tools/limits.ts';
import {
  errorResult,
  type OpeningContext,
  type ToolContext,
  type ToolResult,
} from '../tools/tool.ts';
import { noToolUse, type ToolUse } from '../request/tool-use.ts';
import type { UsageReport } from '../request/usage-report.ts';
import type { TurnDeps } from '../turn/deps.ts';
import type { Turn } from '../turn/turn.ts';
import type { Rejection } from '@sluice/errors';
import { late } from './call-deadline.ts';
import { payAndRun } from './pay-and-run.ts';
import { CallQuestions } from './inner/call-questions.ts';
import type { ResponseTurns } from './response-turns.ts';
import { type ToolOutcome, ToolWatch } from './tool-watch.ts';
import type { ServerCall, TurnCalls } from './turn-calls.ts';

/** The calls of one turn that are run. */
export interface CallsToRun {
  readonly turn: Turn;
  /** The model that called. */
  readonly model: string;
  /** Counts the calls of the response that run, from 1. */
  readonly numberOf: () => number;
  readonly calls: Pick<TurnCalls, 'calls' | 'items'>;
  /** Calls that may still run. The others get an error as their result. */
  readonly callsLeft: number;
  /** The end of the response's time, on the clock of `performance.now()`. */
  readonly deadlineMs: number;
  readonly uses: ToolUses;
  /** The number of server tools of a type in the request. */
  readonly instancesOf: (tool: unknown) => number;
  readonly ask: ResponseTurns['ask'];
  readonly tell: (parts: readonly AnswerPart[]) => Promise<void> | undefined;
}

/** The uses of server tools in a response. */
export class ToolUses {
  readonly #counts = new Map<unknown, number>();
  readonly #memories = new Map<unknown, Map<string, unknown>>();

  /** Counts a use, and returns how many there were before. */
  add(what: unknown): number {
    const before = this.#counts.get(what) ?? 0;
    this.#counts.set(what, before + 1);
    return before;
  }

  memoryOf(tool: unknown): Map<string, unknown> {
    const known = this.#memories.get(tool) ?? new Map<string, unknown>();
    this.#memories.set(tool, known);
    return known;
  }
}

/** A call that came to its end. */
export interface RunCall {
  readonly call: ServerCall;
  readonly result: ToolResult;
  readonly use: ToolUse;
  /** Present if no budget of the caller holds the cost of the call, which did not run. */
  readonly refused?: Rejection | undefined;
  /** The usage of the models that the tool asked. Absent: there was none. */
  readonly asked?: UsageReport | undefined;
}

interface RunDeps {
  readonly deps: TurnDeps;
  readonly limits: ToolLimits;
}

/** Runs the calls of a turn, several at the same time unless the client forbids it. Never throws for a tool. */
export async function runCalls(deps: RunDeps, run: CallsToRun): Promise<readonly RunCall[]> {
  const { calls, turn } = run;
  const all = calls.calls;
  const results: RunCall[] = [];
  const waiting = all.entries();
  const work = async (): Promise<void> => {
    for (const [index, call] of waiting) {
      if (turn.cancellation.isClientGone) return;
      results[index] = await runOne(deps, run, { call, isOver: index >= run.callsLeft });
    }
  };
  const isSerial = turn.request.parallelToolCalls === false;
  const workers = isSerial ? 1 : Math.min(all.length, deps.limits.parallelCallsMax);
  await Promise.all(Array.from({ length: workers }, work));
  return results.filter((one) => one !== undefined);
}

interface OneCall {
  readonly call: ServerCall;
  readonly isOver: boolean;
}

async function runOne(deps: RunDeps, run: CallsToRun, { call, isOver }: OneCall): Promise<RunCall> {
  const { shown } = call;
  const { tool } = shown;
  const limits = limitsOf(tool, deps.limits);
  const watch = new ToolWatch(deps.deps, run.turn, shown);
  const uses = run.uses.add(shown);
  const isUsedUp = isOver || run.uses.add(tool) >= limits.callsMax;
  const args = isUsedUp ? 'the limit of tool calls is reached' : argumentsOf(call);
  if (typeof args === 'string') {
    const result = errorResult(args);
    await tellWhole(run, call, { args: {}, opened: openingOf(call), result });
    watch.ended(isUsedUp ? 'refused' : 'invalid');
    return { call, result, use: noToolUse };
  }
  const deadlineMs = Math.min(run.deadlineMs, performance.now() + limits.callMs);
  const controller = new AbortController();
  const { leftSignal } = run.turn.cancellation;
  const signal = AbortSignal.any([leftSignal, controller.signal]);
  const context = contextOf(run, call, { uses, deadlineMs, signal });
  const opened = openingOf(call, args, tool.opening?.(args, context));
  const begins: readonly AnswerPart[] = [
    { type: 'tool-item-start', part: call.part, item: opened },
  ];
  if (!call.worker) await run.tell(begins);
  const questions = new CallQuestions(run.ask, { type: tool.type, signal });
  const running = { args, context, controller, questions };
  const { result: made, use, refused } = await payAndRun(deps.deps, run, call, running);
  watch.ended(outcomeOf(run, { result: made, refused }), use.costNanoUsd);
  const asked = await questions.settled();
  const ended = made === late && tool.stopped ? tool.stopped() : made;
  const result = { ...ended, output: boundOutput(ended.output, limits) };
  // A worker that goes on was announced by an earlier response.
  const isAgain = call.worker !== undefined;
  const { part } = call;
  if (!result.suspension)
    await run.tell([...(isAgain ? begins : []), endOf(call, { args, opened, result })]);
  else if (!isAgain) await run.tell([{ type: 'tool-item-suspend', part }]);
  return { call, result, use, refused, asked };
}

function outcomeOf(
  { turn: { cancellation } }: CallsToRun,
  { result, refused }: Pick<RunCall, 'result' | 'refused'>,
): ToolOutcome {
  if (refused) return 'refused';
  if (result === late) return cancellation.isClientGone ? 'canceled' : 'timeout';
  return result.isError === true ? 'failed' : 'completed';
}

function openingOf(
  { shown: { tool, kind } }: ServerCall,
  args: JsonObject = {},
  opening: JsonObject = {},
): ToolItem {
  return { ...opening, type: tool.itemType?.(kind, args) ?? tool.type, status: 'in_progress' };
}

/** Shows the client a call that does not run. */
function tellWhole(run: CallsToRun, call: ServerCall, ended: Ended): Promise<void> | undefined {
  const { opened } = ended;
  return run.tell([{ type: 'tool-item-start', part: call.part, item: opened }, endOf(call, ended)]);
}

const argumentsCharactersMax = 1_048_576;
const problemsMax = 5;

/** Returns the arguments, or why they are none. */
function argumentsOf({ text, shown }: ServerCall): JsonObject | string {
  if (text.length > argumentsCharactersMax) return 'the arguments are too long';
  let args: unknown;
  try {
    args = text.trim() === '' ? {} : JSON.parse(text);
  } catch {
    return 'the arguments are no JSON';
  }
  if (!isObject(args)) return 'the arguments must be a JSON object';
  const { parameters, checks = parameters } = shown.tool.asFunction(shown.settings);
  const problems = problemsOf(checks, args, { max: problemsMax });
  if (problems.length === 0) return args;
  return problems.map(({ path, message }) => `${path} ${message}`).join('; ');
}

function contextOf(
  run: CallsToRun,
  { callId, name, part, worker, shown }: ServerCall,
  own: Pick<ToolContext, 'uses' | 'deadlineMs' | 'signal'>,
): OpeningContext {
  const { call, generationId, labels, request } = run.turn;
  const { tool, kind, instance, settings, deferred, functions } = shown;
  return {
    ...own,
    settings,
    deferred,
    functions,
    worker,
    kind,
    instance,
    instances: run.instancesOf(tool),
    name,
    model: run.model,
    callId,
    principal: call.principal,
    requestId: call.requestId,
    generationId,
    sessionId: labels.sessionId,
    request,
    answer: run.calls.items(),
    memory: run.uses.memoryOf(tool),
    progress: (progress) => void run.tell([{ type: 'tool-item-progress', part, progress }]),
  };
}

interface Ended {
  readonly args: JsonObject;
  readonly opened: ToolItem;
  readonly result: ToolResult;
}

function endOf({ part, callId, name }: ServerCall, { args, opened, result }: Ended): AnswerPart {
  const { item, output, block, sources, isError = false } = result;
  const status = isError ? 'incomplete' : 'completed';
  return {
    type: 'tool-item-end',
    part,
    item: boundItem({ status, ...item, type: opened.type }),
    call: {
      callId,
      name,
      arguments: JSON.stringify(args),
      result: textOfOutput(output),
      isError,
      sources,
      block,
    },
  };
}
