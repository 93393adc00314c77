import type { Clock } from '@sluice/clock-and-ids';
import { datetimeTool } from './datetime/index.ts';
import type { ServerTool } from './tool.ts';

export interface ToolOptions {
  readonly clock: Clock;
}

/** Creates all server tools. A new tool is a folder and a row here. */
export function createTools(options: ToolOptions): readonly ServerTool[] {
  return [datetimeTool(options)];
}
