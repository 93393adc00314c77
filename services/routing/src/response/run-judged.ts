import { isRejection, type Rejection, rejectionToFault } from '@sluice/errors';
import type { AnswerPart } from '@sluice/inference';
import { AnswerItems } from '../request/answer-items.ts';
import { addUsage, type UsageReport } from '../request/usage-report.ts';
import { judgeAnswer } from '../stages/run-turn-stages.ts';
import type { Verdict } from '../stages/stage.ts';
import { checkedSoFar } from '../turn/check-output.ts';
import type { TurnDeps } from '../turn/deps.ts';
import { runTurn } from '../turn/run-turn.ts';
import type { TurnEnd } from '../turn/settle.ts';
import type { TurnListener } from '../turn/turn-listener.ts';
import type { ResponseTurns } from './response-turns.ts';

/** Answers to one turn that are made at most. */
const answersMax = 10;

const noAnswerPassed: Rejection = {
  rejected: 'content_policy_violation',
  message: 'no answer of the model passed the checks of the request',
};

/**
 * Runs the turn of a response. If a stage judges answers, nothing leaves before an answer has passed: a dropped answer
 * is paid for, and its usage is part of the turn's. Throws the Fault of a judge that ends the response.
 */
export async function runJudged(
  deps: TurnDeps,
  response: ResponseTurns,
  listener: TurnListener,
): Promise<TurnEnd | Rejection> {
  const { turnStages } = response;
  if (!turnStages.some((stage) => stage.judge !== undefined))
    return await runTurn(deps, response.turn, listener);
  let spent: UsageReport | undefined;
  for (let count = 1; ; count += 1) {
    const batches: (readonly AnswerPart[])[] = [];
    const end = await runTurn(deps, response.turn, {
      held: (turn) => listener.held(turn),
      began() {},
      parts: (parts) => void batches.push(parts),
    });
    if (isRejection(end)) {
      if (!spent) return end;
      throw rejectionToFault(end);
    }
    const usage = spent ? addUsage(spent, end.usage) : end.usage;
    const verdict = end.last.type === 'finish' ? await verdictOn(response, batches) : 'pass';
    if (verdict === 'pass') {
      listener.began(end.served);
      for (const parts of batches) await listener.parts(parts);
      return { ...end, usage };
    }
    if (verdict !== 'retry') throw rejectionToFault(verdict);
    // A filter that withholds the answer withholds all that follows, too.
    if (count === answersMax || checkedSoFar(response.turn.outputs).isWithheld)
      throw rejectionToFault(noAnswerPassed);
    await end.durable;
    spent = usage;
    response.again(end);
  }
}

function verdictOn(
  { turnStages }: ResponseTurns,
  batches: readonly (readonly AnswerPart[])[],
): Promise<Verdict> {
  const answer = new AnswerItems();
  for (const parts of batches) for (const part of parts) answer.add(part);
  return judgeAnswer(turnStages, answer.items());
}
