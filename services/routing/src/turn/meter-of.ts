import type { PlannedAttempt } from '../selection/plan.ts';
import type { Beginning } from '../usage/journal/outcome.ts';
import type { HeldTurn } from './turn.ts';
import { Meter } from './meter.ts';
import { outputLimitOf } from '../admission/output-limit.ts';
import { readingsMax } from '../admission/readings.ts';
import { searchUnits } from '../admission/search-units.ts';
import { estimateTokens } from './tokens.ts';

interface Metered {
  readonly planned: PlannedAttempt;
  readonly beginning: Beginning;
}

/** Makes the meter of one attempt. */
export function meterOf(
  turn: Pick<HeldTurn, 'inputTokens' | 'inputImages' | 'request' | 'isOpenEnded'>,
  { planned, beginning }: Metered,
): Meter {
  const { inputTokens, inputImages } = turn;
  const { endpoint, model } = planned;
  return new Meter({
    inputTokens,
    inputImages,
    searchUnits: searchUnits(turn.request, (text) => estimateTokens(Buffer.byteLength(text))),
    readings: readingsMax(turn.request),
    contextLength: endpoint.contextLength ?? model.contextLength,
    outputTokensMax: outputLimitOf(turn, planned).tokens,
    beginning,
  });
}
