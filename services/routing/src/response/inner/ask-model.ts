import { Fault, isRejection, rejectionToFault } from '@sluice/errors';
import type { UsageReport } from '../../request/usage-report.ts';
import type { Pipeline } from '../deps.ts';
import { planResponse } from '../plan-response.ts';
import { ResponseRun } from '../response-run.ts';
import { runTurns } from '../run-turns.ts';
import type { Asked, Asker, Asking } from './asking.ts';
import { InnerAnswer } from './inner-answer.ts';
import { readQuestion } from './read-question.ts';

/**
 * Answers a question of a tool like a request of the caller: with its guardrails, holds and facts. Resolves when all
 * usage is on disk. A failure is an answer.
 */
export async function askModel(pipeline: Pipeline, asker: Asker, asking: Asking): Promise<Asked> {
  const { question, type, usagePrefix } = asking;
  const { allowance, askers, generationId } = asker;
  const answer = new InnerAnswer(question);
  const failed = (error: unknown, usage?: UsageReport): Asked => ({
    answer: answer.broke(error),
    usage,
  });
  if (allowance.left <= 0) return failed(tooMany);
  allowance.left -= 1;
  try {
    const inner = {
      generationId,
      usagePrefix,
      allowance,
      askers: new Set([...askers, type]),
    };
    const read = await readQuestion(pipeline, asker, asking, inner);
    if (isRejection(read)) return failed(rejectionToFault(read));
    const planned = await planResponse(read);
    if (isRejection(planned)) return failed(rejectionToFault(planned));
    const ownPipeline = withoutReports(pipeline);
    const response = new ResponseRun(ownPipeline, read.call, { ...planned, inner });
    const ended = await runTurns(ownPipeline, response, answer);
    if (isRejection(ended)) return failed(rejectionToFault(ended));
    return { answer: answer.end(ended.last), usage: ended.usage };
  } catch (error) {
    return failed(error);
  }
}

const tooMany = new Fault('rate_limited', { message: 'the limit of model calls is reached' });

/** A failure here is none of the generation: the tool tells it. What guardrails find is told as ever. */
function withoutReports(pipeline: Pipeline): Pipeline {
  return {
    ...pipeline,
    failures: { add() {} },
    outcomes: {
      failed() {},
      refused() {},
      detected: (fact) => pipeline.outcomes.detected(fact),
    },
  };
}
