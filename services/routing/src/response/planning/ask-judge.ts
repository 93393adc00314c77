import { hash } from 'node:crypto';
import { isRejection, type Rejection } from '@sluice/errors';
import { message } from '../../tools/asking/transcript.ts';
import type { ModelAnswer, ModelQuestion } from '../../tools/ask-model.ts';
import type { Judged } from '../../request/judged.ts';
import { choose } from '../../selection/choose.ts';
import { knowledgeOf } from '../../selection/find-candidates.ts';
import type { Refused } from '../../selection/plan.ts';
import type { StageWork } from '../../stages/stage-work.ts';
import type { JudgeQuestion } from '../../selection/routers/judge-question.ts';
import { choosingOf } from './choosing.ts';
import type { Inspected } from './inspect-input.ts';
import { routerOf } from './prepare-for-router.ts';
import type { ReadCall } from './read-call.ts';

const answerTokensMax = 1_000;

type Judging = Pick<Inspected, 'inspected'> | Refused | Rejection;

/**
 * Asks the judge of the router that the first model stands for, if there is one, in the name and at the cost of the
 * caller. A judge that fails, or that no budget pays for, does not end the request: the router chooses without it.
 */
export function askJudge(read: ReadCall & Inspected): Judging | Promise<Judging> {
  const { inspected, pipeline, context } = read;
  const { work } = context;
  const router = routerOf(pipeline, inspected);
  if (!router?.asks || !work) return { inspected };
  const known = knowledgeOf(choosingOf(read), inspected.preferences.sort);
  const question = router.asks(inspected, known);
  return question ? ask(read, question, work) : { inspected };
}

async function ask(
  read: ReadCall & Inspected,
  question: JudgeQuestion,
  work: StageWork,
): Promise<Judging> {
  const { inspected, pipeline, call } = read;
  // Nothing is paid for a request that no endpoint serves.
  const chosen = choose(inspected, choosingOf(read));
  if (isRejection(chosen)) return chosen;
  const key = keyOf(call.principal.accountId, question);
  const kept = pipeline.verdicts.find(key);
  if (kept) return { inspected: { ...inspected, judged: kept } };
  const type = `plugin:${question.router}` as const;
  const asked = {
    type,
    engine: '',
    worstNanoUsd: 0n,
    timeoutMs: pipeline.limits.judgeMs,
    call: inspected,
  };
  const ended = await work.run(asked, async ({ ask }) => {
    const answer = await ask(asQuestion(question));
    return { result: answer, isFailed: answer.error !== undefined, charge: { costNanoUsd: 0n } };
  });
  const judged = isRejection(ended)
    ? { model: question.model, text: '', failure: ended.rejected, costNanoUsd: 0n }
    : judgedOf(question, ended.result, ended.costNanoUsd);
  if (judged.failure === undefined)
    pipeline.verdicts.keep(key, { ...judged, costNanoUsd: 0n, isKept: true });
  return { inspected: { ...inspected, judged } };
}

function judgedOf(
  { model }: JudgeQuestion,
  answer: ModelAnswer | undefined,
  costNanoUsd: bigint,
): Judged {
  if (!answer) return { model, text: '', failure: 'time_limit', costNanoUsd };
  const { text, error } = answer;
  return { model: answer.model, text, costNanoUsd, ...(error && { failure: error.code }) };
}

function asQuestion({ model, instructions, task, schema }: JudgeQuestion): ModelQuestion {
  const format = { type: 'json_schema', name: 'verdict', schema, strict: true };
  return {
    model,
    instructions,
    items: [message('user', JSON.stringify(task))],
    fields: { temperature: 0, max_output_tokens: answerTokensMax, text: { format } },
  };
}

/** Names a question without its text. */
function keyOf(accountId: string, { router, model, task, schema }: JudgeQuestion): string {
  return hash('sha256', JSON.stringify([accountId, router, model, task, schema]), 'base64');
}
