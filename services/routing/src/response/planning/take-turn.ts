import type { ReadCall } from './read-call.ts';

/**
 * Lets the responses of server tools begin in turns, like the later steps of their loops. Many that come at the same
 * moment would be planned in one tick, and every other request would wait for them.
 */
export function takeTurn({ pipeline, parsed, call }: ReadCall): object | Promise<object> {
  const { tools, fairSteps } = pipeline;
  const isServed = parsed.call.inference.tools.some(
    (tool) => tool.type === 'native' && tools.has(String(tool.tool['type'])),
  );
  const turn = isServed ? fairSteps.next(call.principal.accountId) : undefined;
  return turn ? turn.then(() => ({})) : {};
}
