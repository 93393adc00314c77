import { takeWorkers } from '../../tools/subagent/workers.ts';
import type { McpListed } from './list-mcp-tools.ts';

/** Takes the workers of an earlier response out of the conversation. They go on before the model is asked. */
export function resumeWorkers({ listed, beginning }: McpListed): McpListed {
  const { inference } = listed;
  const isServed = inference.tools.some(
    (tool) => tool.type === 'native' && tool.tool['type'] === 'service:subagent',
  );
  const { items, workers: suspended } = takeWorkers(inference.items, { isServed });
  if (items === inference.items) return { listed, beginning };
  const begun = suspended.length > 0 || beginning !== undefined;
  return {
    listed: { ...listed, inference: { ...inference, items } },
    beginning: begun ? { lists: [], approved: [], ...beginning, suspended } : undefined,
  };
}
