import { type Static, Type } from 'typebox';
import { anything, integer, kind, oneOf, optional, text } from '../fields.ts';

const max_results = optional(integer(1), 'Number of tools that a search returns.', 5);

/** `service:tool_search`: finds tools with `defer_loading`. More results than 50 are 50. */
export const toolSearchTool = Type.Object({
  type: kind('service:tool_search'),
  parameters: optional(Type.Object({ max_results }), 'Settings of the tool.', {}),
});

/** The kind of OpenAI's API, which is answered with its items. */
export const toolSearchShorthand = Type.Object({
  type: kind('tool_search'),
  execution: optional(
    oneOf('server', 'client'),
    'Who searches. Sluice does. A search of the client is left out, or refused in the strict mode.',
    'server',
  ),
  description: optional(text(), 'For a search of the client.'),
  parameters: optional(anything, 'For a search of the client.'),
  max_results,
});

export type ToolSearchSettings = NonNullable<Static<typeof toolSearchTool>['parameters']>;

/** Returns true for a tool or an item of a search that the client makes. */
export function isSearchOfClient(one: { readonly type?: unknown; readonly execution?: unknown }) {
  return String(one.type).startsWith('tool_search') && one.execution === 'client';
}
