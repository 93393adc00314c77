import type { Clock } from '@sluice/clock-and-ids';
import { applyPatchTool } from './apply-patch/index.ts';
import { bashTool } from './bash/index.ts';
import { datetimeTool } from './datetime/index.ts';
import type { SandboxToolOptions } from './sandbox/options.ts';
import { shellTool } from './shell/index.ts';
import type { ServerTool } from './tool.ts';
import { type WebFetchOptions, webFetchTool } from './web-fetch/index.ts';

export interface ToolOptions extends SandboxToolOptions, WebFetchOptions {
  readonly clock: Clock;
}

/** Creates all server tools. A new tool is a folder and a row here. */
export function createTools(options: ToolOptions): readonly ServerTool[] {
  return [
    datetimeTool(options),
    bashTool(options),
    shellTool(options),
    webFetchTool(options),
    applyPatchTool(),
  ];
}
