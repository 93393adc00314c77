import type { JsonObject } from '@sluice/client-schemas';
import type { Tool } from '@sluice/inference';

type Named = Exclude<Tool, { type: 'native' }>;

/** Returns tools as the client defined them. The members of a namespace stand in the place of its first one. */
export function definitionsOf(tools: readonly Named[]): readonly JsonObject[] {
  const groups = Map.groupBy(tools, ({ namespace }) => namespace?.name);
  return [...groups].flatMap(([, members]): readonly JsonObject[] => {
    const definitions = members.map(definitionOf);
    const namespace = members[0]?.namespace;
    return namespace ? [{ type: 'namespace', ...namespace, tools: definitions }] : definitions;
  });
}

function definitionOf(tool: Named): JsonObject {
  const { type, name, description = null, isAsync } = tool;
  const more = { defer_loading: true, ...(isAsync && { async: true }) };
  if (tool.type === 'custom')
    return { type, name, description, format: tool.format ?? { type: 'text' }, ...more };
  const { parameters = null, strict = null, outputSchema, allowedCallers } = tool;
  return {
    type,
    name,
    description,
    parameters,
    strict,
    ...(outputSchema && { output_schema: outputSchema }),
    ...(allowedCallers && { allowed_callers: allowedCallers }),
    ...more,
  };
}
