import { Fault, isRejection, rejectionToFault } from '@sluice/errors';
import { failurePart } from '@sluice/client-errors';
import type { AnswerPart, InputItem } from '@sluice/inference';
import { AnswerItems } from '../request/answer-items.ts';
import { addUsage } from '../request/usage-report.ts';
import { runJudged } from '../response/run-judged.ts';
import type { TurnLoop } from '../response/turn-loop.ts';

/**
 * Answers the calls of the first turn, and goes on with a second one. `added` follows the outputs. A second turn that
 * fails ends the response: the first one is paid for.
 */
export function twoTurns(added: readonly InputItem[] = []): TurnLoop {
  return async (deps, response, listener) => {
    const answer = new AnswerItems();
    const end = await runJudged(deps, response, {
      held: (turn) => listener.held(turn),
      began: (attempt) => listener.began(attempt),
      parts(parts: readonly AnswerPart[]) {
        for (const part of parts) answer.add(part);
        return listener.parts(parts);
      },
    });
    if (isRejection(end)) return end;
    const items = answer.items();
    const outputs = items.flatMap((item): readonly InputItem[] =>
      item.type === 'function-call'
        ? [{ type: 'function-call-output', callId: item.callId, output: 'sunny' }]
        : [],
    );
    try {
      const next = await response.next(end, [...items, ...outputs, ...added]);
      if (isRejection(next)) throw rejectionToFault(next);
      const second = await runJudged(deps, response, listener);
      if (isRejection(second)) throw new Fault(second.rejected);
      return { ...second, usage: addUsage(end.usage, second.usage) };
    } catch (error) {
      return { ...end, last: failurePart(error) };
    }
  };
}
