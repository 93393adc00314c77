import { type Static, Type } from 'typebox';
import { integer, kind, optional } from '../fields.ts';

/** `service:tool_search`: finds tools with `defer_loading`. More results than 50 are 50. */
export const toolSearchTool = Type.Object({
  type: kind('service:tool_search'),
  parameters: optional(
    Type.Object({
      max_results: optional(integer(1), 'Number of tools that a search returns.', 5),
    }),
    'Settings of the tool.',
    {},
  ),
});

export type ToolSearchSettings = NonNullable<Static<typeof toolSearchTool>['parameters']>;
