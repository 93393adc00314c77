import { isRejection } from '@sluice/errors';
import {
  addToolUse,
  addUsage,
  failedTurn,
  noToolUse,
  runJudged,
  runTool,
  type TurnLoop,
  withToolUse,
} from '@sluice/routing/testing';
import { ownAccountIds } from './caps.ts';
import type { SearchEngine } from './search-engine.ts';

/** Each so-manieth request searches. */
const searchesEvery = 3;
const worstNanoUsd = 150_000n;
const credentialId = 'own-search';

/**
 * Runs a loop for some requests: a turn, a free tool and searches at once, and a second turn. A cap that is reached on
 * the way ends it with what is there. All draws come from the number of the request.
 */
export function searching(engine: SearchEngine): TurnLoop {
  return async (deps, response, listener) => {
    const { turn } = response;
    const { requestId, principal } = turn.call;
    const number = Number(requestId.slice('req-'.length));
    const first = await runJudged(deps, response, listener);
    if (number % searchesEvery !== 0 || isRejection(first) || first.last.type !== 'finish')
      return first;
    const hasOwnKey = ownAccountIds.includes(principal.accountId) && number % 2 === 0;
    const paid = {
      type: 'service:web_search',
      engine: 'exa',
      model: first.served.model.id,
      worstNanoUsd,
      ...(hasOwnKey && { credentialId }),
    } as const;
    const free = { ...paid, type: 'service:datetime', engine: '', worstNanoUsd: 0n } as const;
    let use = noToolUse;
    const spent = () => ({ ...first, usage: withToolUse(first.usage, use) });
    try {
      const searches = Array.from({ length: 1 + (number % 3) }, async (_, index) => {
        const tool = { ...paid, number: index + 2 };
        return await runTool(deps, turn, tool, (id) => engine.search(id, requestId, tool));
      });
      const now = runTool(deps, turn, { ...free, number: 1 }, async () => ({
        result: 'now',
        isFailed: false,
        charge: { costNanoUsd: 0n },
      }));
      const ends = await Promise.all([now, ...searches]);
      for (const end of ends) if (!isRejection(end)) use = addToolUse(use, end.use);
      if (ends.some(isRejection) || turn.cancellation.isClientGone) return spent();
      const next = await response.next(first, []);
      if (isRejection(next)) return spent();
      const second = await runJudged(deps, response, listener);
      if (isRejection(second)) return spent();
      return { ...second, usage: withToolUse(addUsage(first.usage, second.usage), use) };
    } catch (error) {
      return failedTurn(spent(), error);
    }
  };
}
