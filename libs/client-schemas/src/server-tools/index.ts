import { type Static, Type } from 'typebox';
import { kindWords } from '../open-kind.ts';
import { type Problem, problemsOf } from '../problems.ts';
import { advisorTool } from './advisor.ts';
import { applyPatchTool } from './apply-patch.ts';
import { bashTool } from './bash.ts';
import { datetimeTool } from './datetime.ts';
import { filesTool } from './files.ts';
import { fusionTool } from './fusion.ts';
import { imageGenerationTool } from './image-generation.ts';
import { searchModelsTool } from './search-models.ts';
import { shellTool } from './shell.ts';
import { subagentTool } from './subagent.ts';
import { toolSearchShorthand, toolSearchTool } from './tool-search.ts';
import { webFetchTool } from './web-fetch.ts';
import {
  webSearchPreviewShorthand,
  webSearchShorthand,
  webSearchTool,
  webSearchVersion,
} from './web-search.ts';

/** The tools that the service runs, as they stand in `tools` of a request. A row a tool. */
export const serverTools = [
  datetimeTool,
  searchModelsTool,
  toolSearchTool,
  toolSearchShorthand,
  bashTool,
  shellTool,
  webFetchTool,
  applyPatchTool,
  advisorTool,
  subagentTool,
  fusionTool,
  imageGenerationTool,
  filesTool,
  webSearchTool,
  webSearchShorthand,
  webSearchPreviewShorthand,
  webSearchVersion,
] as const;

const kinds = kindWords(serverTools);

export type ServerToolBody = Static<(typeof serverTools)[number]>;

/** The kinds of these tools. */
export const serverToolKinds = [...kinds] as readonly ServerToolBody['type'][];

const union = Type.Union([...serverTools]);
const problemsMax = 20;

/** Lists the problems of a tool of the service in a list of tools that may be of any kind. */
export function serverToolProblems(tool: unknown, path: string): readonly Problem[] {
  return problemsOf(union, tool, { path, max: problemsMax });
}

/** Kinds of Anthropic's API. */
const versions = ['web_search_20250305', 'web_search_20260209'];

/** The kinds that the format of a door has no place for (contract inference.md 5.6 and 27). */
const lacking: Readonly<
  Record<'responses' | 'chat-completions' | 'messages', ReadonlySet<string>>
> = {
  responses: new Set(versions),
  'chat-completions': new Set([
    ...versions,
    'service:apply_patch',
    'service:shell',
    'service:tool_search',
    'tool_search',
  ]),
  messages: new Set(['service:apply_patch']),
};

/** Returns true for a kind of tool that the service runs. */
export function isServerTool(kind: unknown): kind is ServerToolBody['type'] {
  return kinds.has(kind);
}

/** Returns true for a kind that the service runs for the requests of other doors only. */
export function isLackingAt(door: keyof typeof lacking, kind: string): boolean {
  return lacking[door].has(kind);
}
