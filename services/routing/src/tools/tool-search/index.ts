import type { ToolSearchSettings } from '@sluice/client-schemas';
import { addressKey, type Tool } from '@sluice/inference';
import { Type } from 'typebox';
import { errorResult, type ServerTool } from '../tool.ts';
import { findTools } from './find-tools.ts';

const resultsUsual = 5;
const resultsMax = 50;
const patternCharactersMax = 200;

const parameters = Type.Object({
  query: Type.String({
    maxLength: patternCharactersMax,
    description:
      'A regular expression. It is matched over the name and the description of each tool and of its arguments.',
    default: '.',
  }),
});

/** Finds deferred tools by a regular expression. The model may call them from its next turn on. */
export function toolSearchTool(): ServerTool {
  return {
    type: 'service:tool_search',
    asFunction: () => ({
      description: 'Finds more tools that can be called. Found tools are callable afterwards.',
      parameters,
    }),
    worstCost: () => 0n,
    async run(args, { settings, deferred }) {
      const query = String(args['query']);
      const found = findTools(deferred, query, maxOf(settings));
      const item = { query };
      if ('problem' in found) return errorResult(found.problem, item);
      const { tools, total } = found;
      return { output: outputOf(tools, total), item, reveals: tools, block: blockOf(tools) };
    },
    // The search is made again: the item has no results.
    replay({ query }, { settings, deferred }) {
      if (typeof query !== 'string' || query.length > patternCharactersMax) return undefined;
      const found = findTools(deferred, query, maxOf(settings));
      if ('problem' in found) return undefined;
      const { tools, total } = found;
      return {
        arguments: JSON.stringify({ query }),
        output: outputOf(tools, total),
        reveals: tools,
      };
    },
  };
}

function maxOf({ max_results: asked }: ToolSearchSettings): number {
  return Math.min(asked ?? resultsUsual, resultsMax);
}

function outputOf(tools: readonly Named[], total: number): string {
  return JSON.stringify({ tools: tools.map(viewOf), total_results: total });
}

type Named = Exclude<Tool, { type: 'native' }>;

function viewOf({ name, namespace, description }: Named): object {
  return {
    name,
    ...(namespace && { namespace: namespace.name }),
    ...(description !== undefined && { description }),
  };
}

/** The names that Anthropic's API has for its own search. */
function blockOf(tools: readonly Named[]) {
  const references = tools.map((tool) => ({
    type: 'tool_reference',
    tool_name: addressKey(tool).replace('\n', '__'),
  }));
  return {
    name: 'tool_search_tool_regex',
    type: 'tool_search_tool_result',
    content: { type: 'tool_search_tool_search_result', tool_references: references },
  } as const;
}
