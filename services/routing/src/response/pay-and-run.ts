import type { JsonObject } from '@sluice/client-schemas';
import { isRejection, type Rejection } from '@sluice/errors';
import { noToolUse } from '../request/tool-use.ts';
import { errorResult, type OpeningContext, type ToolResult } from '../tools/tool.ts';
import type { TurnDeps } from '../turn/deps.ts';
import { runTool, type ToolEnd } from '../turn/run-tool.ts';
import { late, withDeadline } from './call-deadline.ts';
import { offersOf, ownKeyOf, unavailableKey } from './engine-offers.ts';
import type { CallQuestions } from './inner/call-questions.ts';
import type { Turn } from '../turn/turn.ts';
import type { ServerCall } from './turn-calls.ts';

/** The turn whose model called. */
interface CallingTurn {
  readonly turn: Turn;
  readonly model: string;
  /** Counts the calls of the response that run, from 1. */
  readonly numberOf: () => number;
}

interface PaidRun extends ToolEnd<ToolResult> {
  /** Present if no budget of the caller holds the cost of the call, which did not run. */
  readonly refused?: Rejection | undefined;
}

/** A call that is about to run. */
interface Running {
  readonly args: JsonObject;
  readonly context: OpeningContext;
  /** Aborted at the deadline. */
  readonly controller: AbortController;
  readonly questions: CallQuestions;
}

/** Runs a call at the first engine that takes it, with a hold and a fact for each that is tried. */
export async function payAndRun(
  deps: TurnDeps,
  run: CallingTurn,
  { shown: { tool, settings } }: ServerCall,
  { args, context, controller, questions }: Running,
): Promise<PaidRun> {
  const { turn, model } = run;
  try {
    const offers = await offersOf(deps, { tool, settings, args, turn, model });
    for (const [index, { engine, worstNanoUsd, credential }] of offers.entries()) {
      const credentialId = credential?.id;
      const named = { type: tool.type, engine, model, worstNanoUsd, credentialId };
      const ended = await runTool(
        deps,
        turn,
        { ...named, number: run.numberOf() },
        async (usageId) => {
          const ask = questions.askerOf(usageId);
          const result = await withDeadline(
            async () => {
              const ownKey = await ownKeyOf(deps, turn, credential);
              if (ownKey === 'unavailable') return unavailableKey;
              const used = { name: engine, ownKey, isAnother: index > 0 };
              return await tool.run(args, { ...context, usageId, ask, engine: used });
            },
            context,
            controller,
          );
          // An engine whose answer did not come in time may charge for it.
          const costNanoUsd = result === late && worstNanoUsd > 0n ? 'unknown' : 0n;
          const charge = result.charge ?? { costNanoUsd };
          return { result, isFailed: result.isError === true, charge };
        },
      );
      if (isRejection(ended)) {
        const result = errorResult('the call costs more than is left');
        return { result, use: noToolUse, refused: ended };
      }
      const isLast = index === offers.length - 1;
      if (isLast || ended.result.isEngineAtFault !== true) return ended;
    }
    throw new Error('no engine is offered');
  } catch (error) {
    const { requestId, generationId } = context;
    deps.logger.warn(`the tool ${tool.type} failed`, { requestId, generationId, error });
    return { result: errorResult('the tool failed'), use: { ...noToolUse, executed: 1 } };
  }
}
