import {
  instanceProblems,
  isClientTool,
  isLackingAt,
  isServerTool,
  serverToolProblems,
  messagesToolName,
  type MessagesBody,
} from '@sluice/client-schemas';
import type { RequestDefaults } from '../../policy/policy.ts';
import { checkAnswerSchema } from '../body/check-answer-schema.ts';
import type { Issues } from '../body/issues.ts';
import type { IsFine } from '../body/parse-body.ts';
import { checkServiceFields } from '../service-fields/check-service-fields.ts';
import { checkDeferred, checkDeferredChoice } from '../service-fields/deferred-tools.ts';
import { checkHostedTools, unsupportedModeOf } from '../service-fields/hosted-tools.ts';
import { checkSubagents } from '../service-fields/subagents.ts';
import { deferrableTools, isServed, placedTools, readToolChoice, readTools } from './read-tools.ts';

/** Checks the rules that the schema cannot express. Reads only fields that are fine. */
export function checkRequest(
  body: MessagesBody,
  defaults: RequestDefaults,
  issues: Issues,
  isFine: IsFine<MessagesBody>,
): void {
  // A client that receives this refusal sends the whole conversation. Nothing else of its request matters.
  if ((body.thread ?? null) !== null)
    return issues.add(
      'thread',
      'no conversation is kept: send all messages without it',
      'threads_unsupported',
    );
  checkServiceFields(body, defaults, issues, isFine);
  if (isFine('messages')) checkResults(body, issues);
  if (isFine('tools')) {
    checkTools(body, issues);
    checkSubagents(body.tools ?? [], () => placedTools(body), issues);
    if (isFine('tool_choice')) {
      const isFree = (body.tool_choice?.type ?? 'auto') === 'auto';
      checkDeferredChoice(deferrableTools(body), isFree, issues);
      checkToolChoice(body, issues);
      if (isFine('unsupported_features')) checkHosted(body, defaults, issues);
    }
  }
  if (isFine('tools', 'unsupported_features')) checkLoading(body, defaults, issues);
  if (isFine('fallbacks', 'models') && body.fallbacks && body.models)
    issues.add('fallbacks', 'cannot stand beside models');
  if (isFine('output_config', 'output_format')) checkFormat(body, issues);
  if (isFine('mcp_servers', 'tools', 'unsupported_features')) checkServers(body, defaults, issues);
}

/** Servers of tools are left out beside other tools, as hosted tools are. */
function checkServers(body: MessagesBody, defaults: RequestDefaults, issues: Issues): void {
  if ((body.mcp_servers ?? []).length === 0) return;
  const isLenient = unsupportedModeOf(body, defaults) === 'lenient';
  if (!isLenient || !(body.tools ?? []).some(isClientTool))
    issues.addUnbuilt('mcp_servers', 'a server of tools');
}

/** Every result of a tool follows its call. */
function checkResults({ messages }: MessagesBody, issues: Issues): void {
  const called = new Set<unknown>();
  for (const [index, { content }] of messages.entries()) {
    if (typeof content === 'string') continue;
    for (const [at, block] of content.entries()) {
      if (block.type === 'tool_use' && 'id' in block) called.add(block.id);
      if (block.type !== 'tool_result' || !('tool_use_id' in block)) continue;
      if (!called.has(block.tool_use_id))
        issues.add(
          `messages[${String(index)}].content[${String(at)}].tool_use_id`,
          'names no earlier tool_use',
          'invalid_prompt',
        );
    }
  }
}

function checkTools({ tools }: MessagesBody, issues: Issues): void {
  const names = new Set<string>();
  issues.addAll(instanceProblems(tools ?? []));
  for (const [index, tool] of (tools ?? []).entries()) {
    const name = messagesToolName(tool);
    if (tool.type?.startsWith('tool_search_tool_bm25') === true) {
      issues.add(`tools[${String(index)}].type`, 'is not served: use tool_search_tool_regex');
      continue;
    }
    if (isServerTool(tool.type)) {
      issues.addAll(serverToolProblems(tool, `tools[${String(index)}]`));
      continue;
    }
    if (typeof name !== 'string') {
      if (!isClientTool(tool) && isServed(tool))
        issues.add(`tools[${String(index)}].name`, 'must be a string');
      continue;
    }
    if (names.has(name)) issues.add(`tools[${String(index)}].name`, `repeats the name ${name}`);
    names.add(name);
  }
}

function checkHosted(body: MessagesBody, defaults: RequestDefaults, issues: Issues): void {
  const request = { tools: readTools(body), toolChoice: readToolChoice(body) };
  const placed = (body.tools ?? []).flatMap((tool, index) =>
    isClientTool(tool) ? [] : [{ path: `tools[${String(index)}]`, tool }],
  );
  const mode = unsupportedModeOf(body, defaults);
  const lacks = (kind: string) => isLackingAt('messages', kind);
  checkHostedTools(request, placed, { mode, isServed, lacks }, issues);
}

/** Agents may find deferred tools by a tool of their own. Only the strict mode demands the search of the service. */
function checkLoading(body: MessagesBody, defaults: RequestDefaults, issues: Issues): void {
  if (unsupportedModeOf(body, defaults) === 'strict') checkDeferred(deferrableTools(body), issues);
}

function checkToolChoice({ tools, tool_choice: choice }: MessagesBody, issues: Issues): void {
  if (choice?.type === 'any' && (tools ?? []).length === 0)
    issues.add('tool_choice', 'needs at least one tool');
  if (choice?.type !== 'tool') return;
  const isThere = (tools ?? []).some((tool) => messagesToolName(tool) === choice.name);
  if (!isThere) issues.add('tool_choice.name', 'names a tool that is not in tools');
}

function checkFormat(body: MessagesBody, issues: Issues): void {
  const { output_config: config, output_format: older } = body;
  if (config?.format && older)
    return issues.add('output_format', 'cannot stand beside output_config.format');
  if (config?.format)
    checkAnswerSchema(config.format.schema, 'output_config.format.schema', issues);
  if (older) checkAnswerSchema(older.schema, 'output_format.schema', issues);
}
