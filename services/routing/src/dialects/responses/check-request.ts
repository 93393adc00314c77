import { jsonSchemaProblems, type ResponsesBody } from '@sluice/client-schemas';
import type { RequestDefaults } from '../../policy/policy.ts';
import { checkCalls } from './check-calls.ts';
import { checkInput } from './check-input.ts';
import { checkPlugins } from './check-plugins.ts';
import { checkTools } from './check-tools.ts';
import { checkToolChoice } from './check-tool-choice.ts';
import type { Issues } from './issues.ts';
import { issuesMax, schemaCharactersMax, traceCharactersMax } from './limits.ts';
import { readInput } from './read-input.ts';
import { checkModels } from './read-models.ts';
import { asyncNames, readTools } from './read-tools.ts';

/** The escapes of characters that no database stores. JSON has no other form for them. */
const unkeepable = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/i;

/** Fields that refer to stored objects. Sluice stores none. */
const unstored = {
  previous_response_id: 'is not supported: responses are not stored',
  conversation: 'is not supported: conversations are not stored',
};
export const unstoredNames = Object.keys(unstored);

/**
 * Checks the rules that the schema cannot express. `isFine` returns true if the schema accepts these fields. A check
 * reads only such fields.
 */
export function checkRequest(
  body: ResponsesBody,
  defaults: RequestDefaults,
  issues: Issues,
  isFine: (...names: readonly (keyof ResponsesBody)[]) => boolean = () => true,
): void {
  if (isFine('model', 'models', 'preset')) checkModels(body, defaults.model, issues);
  const before = issues.count;
  if (isFine('input', 'instructions', 'prompt')) checkInput(body, issues);
  if (isFine('tools')) checkTools(body.tools ?? [], 'tools', issues);
  if (isFine('input', 'tools')) {
    const tools = readTools(body);
    // Does not report a malformed call as a missing call, too.
    if (issues.count === before) checkCalls(readInput(body), asyncNames(tools), issues);
    if (isFine('tool_choice')) checkToolChoice(body, tools, issues);
  }
  if (isFine('text')) checkFormat(body, issues);
  if (isFine('trace')) checkTrace(body, issues);
  if (isFine('plugins', 'truncation')) checkPlugins(body, issues);
  for (const [name, message] of Object.entries(unstored))
    if (((body as Readonly<Record<string, unknown>>)[name] ?? null) !== null)
      issues.add(name, message);
}

function checkFormat({ text }: ResponsesBody, issues: Issues): void {
  const format = text?.format;
  if (format?.type !== 'json_schema') return;
  const path = 'text.format.schema';
  if (JSON.stringify(format.schema).length > schemaCharactersMax)
    return issues.add(path, `must have at most ${String(schemaCharactersMax)} characters`);
  issues.addAll(jsonSchemaProblems(format.schema, { path, max: issuesMax }));
}

function checkTrace({ trace }: ResponsesBody, issues: Issues): void {
  if (!trace) return;
  const text = JSON.stringify(trace);
  if (text.length > traceCharactersMax)
    issues.add('trace', `must have at most ${String(traceCharactersMax)} characters as JSON`);
  if (unkeepable.test(text))
    issues.add('trace', 'must be well-formed text without the character U+0000');
}
