import type { ResponsesBody, ToolBody } from '@sluice/client-schemas';
import type { RequestDefaults } from '../../policy/policy.ts';
import type { Issues } from '../body/issues.ts';
import {
  checkHostedTools,
  type PlacedTool,
  unsupportedModeOf,
} from '../service-fields/hosted-tools.ts';
import { isServedKind, type ParsedTool } from './read-tools.ts';
import { readToolChoice } from './read-tool-choice.ts';

/** Refuses the hosted tools that no endpoint runs, unless the request does without them. */
export function checkServed(
  body: ResponsesBody,
  parsed: readonly ParsedTool[],
  defaults: RequestDefaults,
  issues: Issues,
): void {
  const request = { tools: parsed.map(({ tool }) => tool), toolChoice: readToolChoice(body) };
  const rules = { mode: unsupportedModeOf(body, defaults), isServed: isServedKind };
  checkHostedTools(request, placedTools(body), rules, issues);
}

function placedTools({ tools, input }: ResponsesBody): readonly PlacedTool[] {
  const items = Array.isArray(input) ? input : [];
  const added = items.flatMap((item, index) =>
    item.type === 'additional_tools' ? hosted(item.tools, `input[${String(index)}].tools`) : [],
  );
  return [...hosted(tools ?? [], 'tools'), ...added];
}

function hosted(tools: readonly ToolBody[], path: string): readonly PlacedTool[] {
  return tools.flatMap(({ type: kind }, index) =>
    kind === 'function' || kind === 'custom' ? [] : [{ path: `${path}[${String(index)}]`, kind }],
  );
}
