import { isRejection, type Rejection } from '@sluice/errors';
import { addToolUse, noToolUse } from '../request/tool-use.ts';
import { addUsage, withToolUse } from '../request/usage-report.ts';
import { runJudged } from '../response/run-judged.ts';
import type { TurnLoop } from '../response/turn-loop.ts';
import { type CalledTool, type RanTool, runTool } from '../turn/run-tool.ts';

/** A call of a tool in a test: all of it but its number and its model. */
export interface TestTool extends Partial<Omit<CalledTool, 'number' | 'model'>> {
  readonly run?: (callId: string) => Promise<RanTool<string>>;
}

const dollarCent = 10_000_000n;

/** Ran as its engine says, at the price of a cent. */
export const searched: RanTool<string> = {
  result: 'found',
  isFailed: false,
  charge: {
    costNanoUsd: dollarCent,
    upstreamId: 'search-1',
    counts: { searches: 1, searchResults: 5 },
  },
};

/** Runs a turn, then the tools at once, then a second turn. `refused` gets what a cap refuses. */
export function toolTurns(
  tools: readonly TestTool[],
  refused: (rejection: Rejection) => void = () => {},
): TurnLoop {
  return async (deps, response, listener) => {
    const first = await runJudged(deps, response, listener);
    if (isRejection(first)) return first;
    const model = first.served.model.id;
    const ends = await Promise.all(
      tools.map(({ run = () => Promise.resolve(searched), ...tool }, index) =>
        runTool(
          deps,
          response.turn,
          {
            type: 'service:web_search',
            engine: 'exa',
            worstNanoUsd: 2n * dollarCent,
            ...tool,
            number: index + 1,
            model,
          },
          run,
        ),
      ),
    );
    let use = noToolUse;
    for (const end of ends)
      if (isRejection(end)) refused(end);
      else use = addToolUse(use, end.use);
    const next = await response.next(first, []);
    if (isRejection(next)) return next;
    const second = await runJudged(deps, response, listener);
    if (isRejection(second)) return { ...first, usage: withToolUse(first.usage, use) };
    return { ...second, usage: withToolUse(addUsage(first.usage, second.usage), use) };
  };
}
