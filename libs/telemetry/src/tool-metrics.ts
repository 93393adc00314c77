import { requestBoundaries } from './boundaries.ts';
import type { Instruments } from './instruments.ts';

/** The server tools. Another one is exported when it is called. */
const tools = [
  'service:advisor',
  'service:apply_patch',
  'service:bash',
  'service:datetime',
  'service:experimental__search_models',
  'service:files',
  'service:fusion',
  'service:image_generation',
  'service:mcp',
  'service:shell',
  'service:subagent',
  'service:tool_search',
  'service:web_fetch',
  'service:web_search',
] as const;

const toolOutcomes = ['completed', 'failed', 'timeout', 'canceled', 'refused', 'invalid'] as const;

/** Returns the metrics of calls of server tools. */
export function toolMetrics(instruments: Instruments) {
  return {
    toolsCalls: instruments.counter<'tool' | 'outcome'>(
      'tools.calls',
      'Number of calls of server tools.',
      {
        tool: tools,
        outcome: toolOutcomes,
      },
    ),
    toolsDuration: instruments.histogram<'tool'>(
      'tools.duration',
      's',
      'Seconds from a call of a server tool to its end.',
      requestBoundaries,
    ),
    toolsCost: instruments.counter<'tool'>(
      'tools.cost.usd',
      'Number of US dollars that calls of server tools cost, their model calls excluded.',
      { tool: tools },
    ),
  };
}
