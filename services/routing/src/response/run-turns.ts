import { isRejection, type Rejection } from '@sluice/errors';
import type { Contents } from '@sluice/generation-contents';
import type { StreamWriter, Settlement } from '../dialects/dialect.ts';
import { detectedFact } from '../outcomes/detected-fact.ts';
import type { AnswerItems } from '../request/answer-items.ts';
import type { OutputReport } from '../stages/stage.ts';
import { addUsage } from '../request/usage-report.ts';
import type { Pipeline } from './deps.ts';
import { contentErrorOf, contentsNow, type ResponseOutcome, thrownOutcome } from './observation.ts';
import { FileAnnotations } from './file-annotations.ts';
import type { ResponseListener } from './response-listener.ts';
import type { ResponseRun } from './response-run.ts';

/** Runs the turns of a response, and returns its end when all usage is on disk. */
export async function runTurns(
  pipeline: Pipeline,
  response: ResponseRun,
  listener: ResponseListener,
): Promise<Settlement | Rejection> {
  let last: ResponseOutcome;
  try {
    const { parsedFiles } = response.planned.request;
    const files = parsedFiles && new FileAnnotations(parsedFiles);
    const told = files ? withFiles(listener, files) : listener;
    const end = await pipeline.turnLoop(pipeline, response, response.follow(told));
    if (isRejection(end)) return (last = end);
    ({ last } = end);
    const left = files?.end(end.last) ?? [];
    if (left.length > 0) await listener.parts(left);
    await end.durable;
    const serviceMetadata = response.metadata();
    const { usageBeside, alignment } = response;
    if (!serviceMetadata && !usageBeside && !alignment) return end;
    const usage = usageBeside ? addUsage(usageBeside, end.usage) : end.usage;
    return { ...end, usage, serviceMetadata, alignment };
  } catch (error) {
    last ??= thrownOutcome(error);
    throw error;
  } finally {
    response.cancellation.end();
    reportDetections(pipeline, response);
    reportEnd(pipeline, response, last);
    reportContents(pipeline, response, last);
  }
}

function withFiles(listener: ResponseListener, files: FileAnnotations): ResponseListener {
  return {
    opened: (turn) => listener.opened(turn),
    servedBy: (model, provider) => listener.servedBy(model, provider),
    parts: (parts) => listener.parts(files.annotate(parts)),
  };
}

/** Reports the end of a response to the observer, if a destination wants to know it. */
function reportEnd({ ends, clock }: Pipeline, response: ResponseRun, last: ResponseOutcome): void {
  const { observation, isHeld, planned, call, id, turn } = response;
  if (!observation?.reportsEnd || !isHeld || planned.inner) return;
  const { accountId, workspaceId } = call.principal;
  const { answer, isForDestinations } = observation;
  ends.report({
    generationId: id,
    accountId,
    workspaceId,
    turns: turn.number,
    endedAt: clock.now(),
    detections: [
      { stage: 'input', detections: planned.detections },
      { stage: 'added', detections: response.added.detections },
      ...planned.outputs.map((output) => ({
        stage: 'output' as const,
        detections: output.report().detections,
      })),
    ],
    contents: isForDestinations && answer ? () => contentsAt(response, answer, last) : undefined,
  });
}

/** Sends the contents of a response to where they are stored, if its workspace wants that. */
function reportContents(
  { contentLog, clock }: Pipeline,
  response: ResponseRun,
  last: ResponseOutcome,
): void {
  const { observation, isHeld, call, id, tried, cancellation } = response;
  if (!observation?.isLogged || !isHeld) return;
  const { answer } = observation;
  if (!answer) return;
  const { accountId, workspaceId, creatorUserId: userId = '' } = call.principal;
  // A response whose client left did not fail.
  const error = cancellation.isClientGone ? undefined : contentErrorOf(last, tried);
  const contents = () => ({
    ...contentsAt(response, answer, last),
    ...(error && { error }),
  });
  contentLog.report({
    generationId: id,
    accountId,
    workspaceId,
    userId,
    endedAt: clock.now(),
    contents,
  });
}

function contentsAt(
  { planned }: ResponseRun,
  answer: AnswerItems,
  last: ResponseOutcome,
): Contents {
  const reason = last && 'type' in last && last.type === 'finish' ? last.reason : 'error';
  return contentsNow(answer, planned.request.inference, reason);
}

/** Counts what guardrails found in later turns and in the answer for the bus. */
function reportDetections({ outcomes }: Pipeline, response: ResponseRun): void {
  const { call, planned, added } = response;
  const report = ({ detections, isBlocked }: OutputReport) => {
    if (detections.length > 0)
      outcomes.detected(() => detectedFact(call, detections, { isBlocked }));
  };
  report(added);
  for (const output of planned.outputs) report(output.report());
}

/** Counts a response that failed while its client was there. */
export function countAborted(
  { metrics }: Pick<Pipeline, 'metrics'>,
  { cancellation }: ResponseRun,
  { status }: Pick<StreamWriter, 'status'>,
): void {
  if (status === 'failed' && !cancellation.isClientGone) metrics.gatewayStreamsAborted.add(1);
}
