import { isRejection, type Rejection } from '@sluice/errors';
import type { StreamWriter, Settlement } from '../dialects/dialect.ts';
import { runTurn } from '../turn/run-turn.ts';
import type { TurnListener } from '../turn/turn-listener.ts';
import type { Pipeline } from './deps.ts';
import type { ResponseRun } from './response-run.ts';

/** Runs the turns of a response: one, until there are tools that run between turns. */
export async function runTurns(
  pipeline: Pipeline,
  response: ResponseRun,
  listener: TurnListener,
): Promise<Settlement | Rejection> {
  try {
    const end = await runTurn(pipeline, response.turn(1), {
      held(turn) {
        response.held(turn);
        listener.held(turn);
      },
      began: (attempt) => listener.began(attempt),
      parts: (parts) => listener.parts(parts),
    });
    if (isRejection(end)) return end;
    const serviceMetadata = response.metadata();
    return serviceMetadata === undefined ? end : { ...end, serviceMetadata };
  } finally {
    response.cancellation.end();
  }
}

/** Counts a response that failed while its client was there. */
export function countAborted(
  { metrics }: Pick<Pipeline, 'metrics'>,
  { cancellation }: ResponseRun,
  { status }: Pick<StreamWriter, 'status'>,
): void {
  if (status === 'failed' && !cancellation.isClientGone) metrics.gatewayStreamsAborted.add(1);
}
