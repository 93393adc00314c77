import { type ResponsesBody } from '@sluice/client-schemas';
import type { RequestDefaults } from '../../../policy/policy.ts';
import { checkCalls } from './check-calls.ts';
import { checkInput } from './check-input.ts';
import { checkServed } from './check-served.ts';
import { checkTools } from './check-tools.ts';
import { checkToolChoice } from './check-tool-choice.ts';
import { checkToolNames } from './check-tool-names.ts';
import { checkAnswerSchema } from '../../body/check-answer-schema.ts';
import type { Issues } from '../../body/issues.ts';
import type { IsFine } from '../../body/parse-body.ts';
import { checkDeferred, checkDeferredChoice } from '../../service-fields/deferred-tools.ts';
import { unsupportedModeOf } from '../../service-fields/hosted-tools.ts';
import { checkSubagents } from '../../service-fields/subagents.ts';
import { checkServiceFields } from '../../service-fields/check-service-fields.ts';
import { readInput } from '../read/read-input.ts';
import { canonicalTools, deferrableTools, readTools } from '../read/read-tools.ts';
import { checkUnknownWords } from '../read/unknown-words.ts';

/** Fields that refer to stored objects. Sluice stores none. */
const unstored = {
  previous_response_id: 'is not supported: responses are not stored',
  conversation: 'is not supported: conversations are not stored',
};
export const unstoredNames = Object.keys(unstored);
const unstoredFields = Object.entries(unstored);

/**
 * Checks the rules that the schema cannot express. `isFine` returns true if the schema accepts these fields. A check
 * reads only such fields.
 */
export function checkRequest(
  body: ResponsesBody,
  defaults: RequestDefaults,
  issues: Issues,
  isFine: IsFine<ResponsesBody>,
): void {
  checkServiceFields(body, defaults, issues, isFine);
  const before = issues.count;
  if (isFine('input', 'instructions', 'prompt')) checkInput(body, issues);
  if (isFine('tools')) checkTools(body.tools ?? [], 'tools', issues);
  // Does not report a malformed call as a missing call, too.
  const checksCalls = issues.count === before;
  if (isFine('input', 'tools') && concernsTools(body))
    checkToolUse(body, defaults, issues, { isFine, checksCalls });
  if (isFine('input', 'include', 'unsupported_features'))
    checkUnknownWords(body, unsupportedModeOf(body, defaults), issues);
  if (isFine('text')) checkFormat(body, issues);
  for (const [name, message] of unstoredFields)
    if (((body as Readonly<Record<string, unknown>>)[name] ?? null) !== null)
      issues.add(name, message);
}

/** Returns false for messages without tools and without a choice of one: they have no calls either. */
function concernsTools({ input, tools, tool_choice: choice }: ResponsesBody): boolean {
  if ((tools?.length ?? 0) > 0 || (choice ?? null) !== null) return true;
  return Array.isArray(input) && !input.every(({ type = 'message' }) => type === 'message');
}

function checkToolUse(
  body: ResponsesBody,
  defaults: RequestDefaults,
  issues: Issues,
  {
    isFine,
    checksCalls,
  }: { readonly isFine: IsFine<ResponsesBody>; readonly checksCalls: boolean },
): void {
  const parsed = readTools(body);
  const tools = canonicalTools(parsed);
  checkToolNames(parsed, issues);
  checkSubagents(
    parsed.map(({ echo }) => echo),
    () => parsed.flatMap((one) => one.tools),
    issues,
    true,
  );
  if (checksCalls) checkCalls(readInput(body), tools, issues);
  checkDeferred(deferrableTools(body), issues);
  if (isFine('tool_choice')) checkDeferredChoice(deferrableTools(body), isFreeChoice(body), issues);
  if (isFine('tool_choice')) checkToolChoice(body, tools, issues);
  if (isFine('tool_choice', 'unsupported_features')) checkServed(body, parsed, defaults, issues);
}

/** The choice leaves it to the model whether it calls a tool, or which ones of a list. */
function isFreeChoice({ tool_choice: choice }: ResponsesBody): boolean {
  const isOpen = (choice ?? 'auto') === 'auto';
  return isOpen || (typeof choice === 'object' && choice?.type === 'allowed_tools');
}

function checkFormat({ text }: ResponsesBody, issues: Issues): void {
  const format = text?.format;
  if (format?.type !== 'json_schema') return;
  const path = 'text.format.schema';
  checkAnswerSchema(format.schema, path, issues);
}
