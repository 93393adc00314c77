import type { InferenceRequest } from '@sluice/inference';
import { namedThoughts } from './history/named-thoughts.ts';
import { failSilence } from './silent-answers.ts';
import { checkedCalls } from './tools/checked-calls.ts';
import type { ChangeParts } from './tools/restore-calls.ts';
import { uniqueCalls } from './tools/unique-calls.ts';
import type { Translator } from './translation.ts';

/** Returns the checks of one answer, which hold for every dialect. */
export function answerChecks(
  request: InferenceRequest,
  { history, maySayNothing }: Translator,
): ChangeParts {
  const check = checkedCalls(request.servedFunctions);
  const name = uniqueCalls(request.items);
  const speak = failSilence(request, { maySayNothing: maySayNothing === true });
  return (parts) => namedThoughts(speak(name(check(parts))), history);
}
