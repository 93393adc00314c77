import { isRejection, type Rejection } from '@sluice/errors';
import type { StreamWriter, Settlement } from '../dialects/dialect.ts';
import { runTurn } from '../turn/run-turn.ts';
import type { StreamPart } from '@sluice/inference';
import { detectedFact } from '../outcomes/detected-fact.ts';
import type { OutputStage } from '../stages/stage.ts';
import type { TurnListener } from '../turn/turn-listener.ts';
import type { Pipeline } from './deps.ts';
import type { ResponseRun } from './response-run.ts';

/** Runs the turns of a response: one, until there are tools that run between turns. */
export async function runTurns(
  pipeline: Pipeline,
  response: ResponseRun,
  listener: TurnListener,
): Promise<Settlement | Rejection> {
  const { outputs } = response.planned;
  try {
    const end = await runTurn(pipeline, response.turn(1), {
      held(turn) {
        response.held(turn);
        listener.held(turn);
      },
      began: (attempt) => listener.began(attempt),
      parts: (parts) =>
        outputs.length === 0 ? listener.parts(parts) : checked(outputs, parts, listener),
    });
    if (isRejection(end)) return end;
    const serviceMetadata = response.metadata();
    return serviceMetadata === undefined ? end : { ...end, serviceMetadata };
  } finally {
    response.cancellation.end();
    reportDetections(pipeline, response);
  }
}

/** Passes parts through the stages that look at the answer. */
async function checked(
  outputs: readonly OutputStage[],
  parts: readonly StreamPart[],
  listener: TurnListener,
): Promise<void> {
  let left = parts;
  for (const output of outputs) left = await output.parts(left);
  if (left.length > 0) await listener.parts(left);
}

/** Counts what guardrails found in the answer for the bus. */
function reportDetections({ outcomes }: Pipeline, { call, planned }: ResponseRun): void {
  for (const { detections, isBlocked } of planned.outputs.map((output) => output.report()))
    if (detections.length > 0)
      outcomes.detected(() => detectedFact(call, detections, { isBlocked }));
}

/** Counts a response that failed while its client was there. */
export function countAborted(
  { metrics }: Pick<Pipeline, 'metrics'>,
  { cancellation }: ResponseRun,
  { status }: Pick<StreamWriter, 'status'>,
): void {
  if (status === 'failed' && !cancellation.isClientGone) metrics.gatewayStreamsAborted.add(1);
}
