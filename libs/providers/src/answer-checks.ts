import type { InferenceRequest } from '@sluice/inference';
import type { HistoryNeeds } from './history/history-needs.ts';
import { namedThoughts } from './history/named-thoughts.ts';
import { checkedCalls } from './tools/checked-calls.ts';
import type { ChangeParts } from './tools/restore-calls.ts';
import { uniqueCalls } from './tools/unique-calls.ts';

/** Returns the checks of one answer, which hold for every dialect. */
export function answerChecks({ items }: InferenceRequest, history: HistoryNeeds): ChangeParts {
  const check = checkedCalls();
  const name = uniqueCalls(items);
  return (parts) => namedThoughts(name(check(parts)), history);
}
