import type { ServerTool } from './tool.ts';

/** The tools by the kinds in `tools` of a request that ask for them. */
export type ToolTable = ReadonlyMap<string, ServerTool>;

export function toolTable(tools: readonly ServerTool[]): ToolTable {
  return new Map(
    tools.flatMap((tool) => [tool.type, ...(tool.aliases ?? [])].map((kind) => [kind, tool])),
  );
}
