import { type ChatBody, instanceProblems, isLackingAt } from '@sluice/client-schemas';
import type { RequestDefaults } from '../../policy/policy.ts';
import { checkAnswerSchema } from '../body/check-answer-schema.ts';
import type { Issues } from '../body/issues.ts';
import { toolsMax } from '../body/limits.ts';
import type { IsFine } from '../body/parse-body.ts';
import { checkServiceFields } from '../service-fields/check-service-fields.ts';
import { checkHostedTools, unsupportedModeOf } from '../service-fields/hosted-tools.ts';
import { checkSubagents } from '../service-fields/subagents.ts';
import { checkToolChoice } from './check-tool-choice.ts';
import { isServed, placedTools, readToolChoice, readTools } from './read-tools.ts';

/** Checks the rules that the schema cannot express. Reads only fields that are fine. */
export function checkRequest(
  body: ChatBody,
  defaults: RequestDefaults,
  issues: Issues,
  isFine: IsFine<ChatBody>,
): void {
  checkServiceFields(body, defaults, issues, isFine);
  if (isFine('messages')) checkAnswers(body, issues);
  if (isFine('tools', 'functions')) {
    checkTools(body, issues);
    checkSubagents(body.tools ?? [], () => placedTools(body), issues);
    if (isFine('tool_choice', 'function_call')) {
      checkToolChoice(body, issues);
      if (isFine('unsupported_features')) checkHosted(body, defaults, issues);
    }
  }
  if (isFine('response_format')) checkFormat(body, issues);
  if (isFine('reasoning', 'reasoning_effort')) checkEffort(body, issues);
  if (isFine('modalities') && body.modalities?.includes('audio'))
    issues.addUnbuilt('modalities', 'the modality audio');
  if (isFine('logprobs', 'top_logprobs') && (body.top_logprobs ?? 0) > 0 && !body.logprobs)
    issues.add('top_logprobs', 'needs logprobs');
}

/** Every answer of a tool follows its call. */
function checkAnswers({ messages }: ChatBody, issues: Issues): void {
  const called = new Set<string>();
  for (const [index, message] of messages.entries()) {
    const path = `messages[${String(index)}]`;
    if (message.role === 'assistant') for (const { id } of message.tool_calls ?? []) called.add(id);
    else if (message.role === 'tool' && !called.has(message.tool_call_id))
      issues.add(`${path}.tool_call_id`, 'names no earlier tool call', 'invalid_prompt');
    else if (message.role === 'function') {
      const before = messages[index - 1];
      if (before?.role !== 'assistant' || !before.function_call)
        issues.add(path, 'follows no message with a function_call', 'invalid_prompt');
    }
  }
}

function checkTools({ tools, functions }: ChatBody, issues: Issues): void {
  const names = new Set<string>();
  const add = (name: string, path: string): void => {
    if (names.has(name)) issues.add(`${path}.name`, `repeats the name ${name}`);
    names.add(name);
  };
  issues.addAll(instanceProblems(tools ?? []));
  for (const [index, tool] of (tools ?? []).entries()) {
    const path = `tools[${String(index)}]`;
    if (tool.type === 'function') add(tool.function.name, `${path}.function`);
    else if (tool.type === 'custom') add(tool.custom.name, `${path}.custom`);
  }
  for (const [index, { name }] of (functions ?? []).entries())
    add(name, `functions[${String(index)}]`);
  if (names.size > toolsMax)
    issues.add('functions', `must have at most ${String(toolsMax)} items with those of tools`);
}

function checkHosted(body: ChatBody, defaults: RequestDefaults, issues: Issues): void {
  const request = { tools: readTools(body), toolChoice: readToolChoice(body) };
  const placed = (body.tools ?? []).flatMap((tool, index) =>
    tool.type === 'function' || tool.type === 'custom'
      ? []
      : [{ path: `tools[${String(index)}]`, tool }],
  );
  const mode = unsupportedModeOf(body, defaults);
  const lacks = (kind: string) => isLackingAt('chat-completions', kind);
  checkHostedTools(request, placed, { mode, isServed, lacks }, issues);
}

function checkFormat({ response_format: format }: ChatBody, issues: Issues): void {
  if (format?.type === 'grammar' || format?.type === 'python')
    return issues.addUnbuilt('response_format.type', `the format ${format.type}`);
  if (format?.type === 'json_object' && format.schema)
    return checkAnswerSchema(format.schema, 'response_format.schema', issues);
  if (format?.type !== 'json_schema') return;
  const path = 'response_format.json_schema.schema';
  const { schema } = format.json_schema;
  if (!schema) return issues.add(path, 'is required');
  checkAnswerSchema(schema, path, issues);
}

/** The short form says the same as `reasoning`, or one of them is a mistake. */
function checkEffort({ reasoning, reasoning_effort: short }: ChatBody, issues: Issues): void {
  if (short === undefined || short === null) return;
  const { effort, enabled } = reasoning ?? {};
  if ((effort ?? short) !== short)
    return issues.add('reasoning_effort', 'contradicts reasoning.effort');
  if (enabled === (short === 'none'))
    issues.add('reasoning_effort', 'contradicts reasoning.enabled');
}
