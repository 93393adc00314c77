import type { AnswerPart, InputItem } from '@sluice/inference';
import { boundItem } from '../tools/bounds.ts';
import type { RunCall } from './run-calls.ts';

/** Returns the items that follow those of calls, as parts from a number on. */
export function followingParts(ran: readonly RunCall[], firstPart: number): readonly AnswerPart[] {
  const items = ran.flatMap(({ result }) => (result.followedBy ?? []).map(boundItem));
  return items.flatMap((item, index): AnswerPart[] => [
    { type: 'native-start', part: firstPart + index, item: { ...item, status: 'in_progress' } },
    { type: 'native-end', part: firstPart + index, item },
  ]);
}

/** Returns the calls that workers wait for, as parts from a number on. */
export function pendingParts(ran: readonly RunCall[], firstPart: number): readonly AnswerPart[] {
  let next = firstPart;
  return ran.flatMap(({ call, result: { suspension } }) =>
    (suspension?.calls ?? []).flatMap(({ arguments: delta, ...named }, index): AnswerPart[] => {
      const part = next;
      next += 1;
      const isFirst = index === 0 && suspension !== undefined;
      return [
        { ...named, type: 'tool-call-start', part, subagentId: call.callId },
        { type: 'tool-call-delta', part, delta },
        { type: 'tool-call-end', part, ...(isFirst && { subagentItems: suspension.items }) },
      ];
    }),
  );
}

/** Returns the output of a call as the model reads it. */
export function outputItem({ call: { callId }, result }: RunCall): InputItem {
  const { output, isError } = result;
  return { type: 'function-call-output', callId, output, ...(isError === true && { isError }) };
}
