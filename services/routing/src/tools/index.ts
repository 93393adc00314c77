import type { Clock } from '@sluice/clock-and-ids';
import { advisorTool } from './advisor/index.ts';
import { applyPatchTool } from './apply-patch/index.ts';
import { bashTool } from './bash/index.ts';
import { datetimeTool } from './datetime/index.ts';
import { filesTool, type FilesToolOptions } from './files/index.ts';
import { fusionTool } from './fusion/index.ts';
import { imageGenerationTool } from './image-generation/index.ts';
import { mcpTool, type McpToolOptions } from './mcp/index.ts';
import type { SandboxToolOptions } from './sandbox/options.ts';
import { shellTool } from './shell/index.ts';
import { subagentTool } from './subagent/index.ts';
import type { Catalog } from '@sluice/catalog';
import { searchModelsTool } from './search-models/index.ts';
import type { ServerTool } from './tool.ts';
import { toolSearchTool } from './tool-search/index.ts';
import { type WebFetchOptions, webFetchTool } from './web-fetch/index.ts';
import { type WebSearchOptions, webSearchTool } from './web-search/index.ts';

export interface ToolOptions
  extends FilesToolOptions, SandboxToolOptions, WebFetchOptions, WebSearchOptions, McpToolOptions {
  readonly clock: Clock;
  readonly catalog: Pick<Catalog, 'find' | 'listed' | 'toolPrices'>;
  /** The model that draws if a request names none. */
  readonly imageModel?: string | undefined;
}

/** Creates all server tools. A new tool is a folder and a row here. */
export function createTools(options: ToolOptions): readonly ServerTool[] {
  return [
    datetimeTool(options),
    searchModelsTool(options),
    toolSearchTool(),
    bashTool(options),
    shellTool(options),
    webFetchTool(options),
    applyPatchTool(),
    advisorTool(),
    subagentTool(),
    fusionTool(options),
    imageGenerationTool(options),
    filesTool(options),
    webSearchTool(options),
    mcpTool(options),
  ];
}
