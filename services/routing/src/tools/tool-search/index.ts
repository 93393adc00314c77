import type { JsonObject, ToolSearchSettings } from '@sluice/client-schemas';
import { addressKey, type Tool, type ToolItem } from '@sluice/inference';
import { Type } from 'typebox';
import { errorResult, type ServerTool } from '../tool.ts';
import { definitionsOf } from './definitions.ts';
import { findTools } from './find-tools.ts';

const type = 'service:tool_search';
/** The kind of OpenAI's API, which is answered with its items. */
const shortKind = 'tool_search';

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
    type,
    aliases: [shortKind],
    itemType: (kind) => (kind === shortKind ? 'tool_search_call' : type),
    asFunction: () => ({
      description: 'Finds more tools that can be called. Found tools are callable afterwards.',
      parameters,
    }),
    worstCost: () => 0n,
    opening: (_args, { kind }) => (kind === shortKind ? callItem({}) : {}),
    async run(args, { settings, deferred, kind }) {
      const query = String(args['query']);
      const found = findTools(deferred, query, maxOf(settings));
      const isInKind = kind === shortKind;
      const item = isInKind ? callItem({ query }) : { query };
      if ('problem' in found) return errorResult(found.problem, item);
      const { tools, total } = found;
      return {
        output: outputOf(tools, total),
        item,
        reveals: tools,
        block: blockOf(tools),
        ...(isInKind && { followedBy: [outputItem(tools)] }),
      };
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

/** The service searches, so that no output of the client has to name the call. */
const execution = { execution: 'server', call_id: null } as const;

function callItem(args: JsonObject): JsonObject {
  return { ...execution, arguments: args };
}

function outputItem(tools: readonly Named[]): ToolItem {
  const definitions = definitionsOf(tools);
  return { type: 'tool_search_output', ...execution, status: 'completed', tools: definitions };
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
