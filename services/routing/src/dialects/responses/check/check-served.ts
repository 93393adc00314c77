import type { ResponsesBody } from '@sluice/client-schemas';
import type { RequestDefaults } from '../../../policy/policy.ts';
import type { Issues } from '../../body/issues.ts';
import { checkHostedTools, unsupportedModeOf } from '../../service-fields/hosted-tools.ts';
import { canonicalTools, isServed, type ParsedTool } from '../read/read-tools.ts';
import { readToolChoice } from '../read/read-tool-choice.ts';

/** Refuses the hosted tools that no endpoint runs, unless the request does without them. */
export function checkServed(
  body: ResponsesBody,
  parsed: readonly ParsedTool[],
  defaults: RequestDefaults,
  issues: Issues,
): void {
  const tools = canonicalTools(parsed);
  const request = { tools, toolChoice: readToolChoice(body, tools) };
  const rules = { mode: unsupportedModeOf(body, defaults), isServed };
  const placed = parsed
    .flatMap((one) => one.tools)
    .flatMap(({ path, tool }) => (tool.type === 'native' ? [{ path, tool: tool.tool }] : []));
  checkHostedTools(request, placed, rules, issues);
}
