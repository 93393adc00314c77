import type { Rejection } from '@sluice/errors';
import type { ModelOptions, StoredPrompt, Tool } from '@sluice/inference';
import type { RequestDefaults } from '../../policy/policy.ts';
import { checkCalls } from './check-calls.ts';
import { checkDeferred } from './deferred-tools.ts';
import { echoOptions } from './echo-options.ts';
import { Fields, isObject } from './fields.ts';
import { Issues } from './issues.ts';
import { readJsonBody } from './json-body.ts';
import type { JsonShape } from './json-shape.ts';
import { toolCallsMax } from './limits.ts';
import { parseDebug } from './parse-debug.ts';
import { type Identifiers, parseIdentifiers } from './parse-identifiers.ts';
import { parseInput } from './parse-input.ts';
import { parseMetadata } from './parse-metadata.ts';
import { parsePreferences } from './parse-preferences.ts';
import { parseOptions } from './parse-options.ts';
import { parsePrompt } from './parse-prompt.ts';
import { auto, type ParsedToolChoice, parseToolChoice } from './parse-tool-choice.ts';
import { parsePlugins, refuseTruncation } from './parse-plugins.ts';
import { asyncNames, nameOf, parseTools, type ParsedTool } from './parse-tools.ts';
import type { RequestEcho, ResponsesRequest } from '../../request/call.ts';
import { unknownFieldsWarning } from './unknown-fields.ts';
import { checkStopConditions } from './stop-conditions.ts';
import { refuseSeveralAnswers, refuseUnstored } from './unsupported-fields.ts';
import { usualEcho } from './usual-echo.ts';

/**
 * Reads a body of `POST /responses`: the request, or why it is none. Nothing that the contract names
 * is ignored: what is not built yet is refused, keys outside the contract are skipped and named in a warning.
 * `shape` is what `scanBody` counted of a large body.
 */
export function parseResponsesRequest(
  body: Uint8Array,
  defaults: RequestDefaults = {},
  shape?: JsonShape,
): ResponsesRequest | Rejection {
  const issues = new Issues();
  const object = readJsonBody(body, issues, shape);
  const request = object && parseFields(new Fields(object, { path: '', issues }), issues, defaults);
  const rejection = issues.rejection();
  if (rejection) return rejection;
  if (!request) throw new Error('invariant: a body without issues is a request');
  return request;
}

function parseFields(body: Fields, issues: Issues, defaults: RequestDefaults): ResponsesRequest {
  const preferences = parsePreferences(body, issues, defaults);
  const instructions = body.string('instructions');
  const issuesBefore = issues.count;
  const input = parseInput(body, instructions, issues);
  const parsedTools = withAdded(parseTools(body, issues), input.tools);
  checkDeferred(listed(body.value('tools')), body.value('tool_choice'), { path: 'tools', issues });
  // A call that is malformed is not also one that nobody made.
  if (issues.count === issuesBefore) checkCalls(input.items, asyncNames(parsedTools), issues);
  const items = input.items.map(({ item }) => item);
  const tools = parsedTools.map(({ tool }) => tool);
  const choice = body.has('tool_choice') ? chosenOf(body, parsedTools, issues) : auto;
  const isPlain = body.isWithin(plainNames);
  const rest = isPlain ? plainRest(body) : parseRest(body, tools, issues);
  const { sampling, options, identifiers } = rest;
  const warning = isPlain ? undefined : unknownFieldsWarning(body.all);
  const isUsual = isPlain && instructions === undefined && tools.length === 0 && !sampling;
  return {
    preferences,
    inference: {
      items,
      tools,
      toolChoice: choice.choice,
      parallelToolCalls: rest.parallelToolCalls,
      maxOutputTokens: sampling?.maxOutputTokens,
      temperature: sampling?.temperature,
      topP: sampling?.topP,
      options,
      stream: rest.stream,
      ...(rest.prompt && { prompt: rest.prompt }),
    },
    user: identifiers.user,
    sessionId: identifiers.sessionId,
    safetyIdentifier: identifiers.safetyIdentifier,
    trace: identifiers.trace,
    echoesUpstreamBody: rest.echoesUpstreamBody && rest.stream,
    ...(warning !== undefined && { warning }),
    echo: isUsual ? usualEcho : echoOf(body, { instructions, parsedTools, choice, rest }),
  };
}

interface Echoed {
  readonly instructions: string | undefined;
  readonly parsedTools: readonly ParsedTool[];
  readonly choice: ParsedToolChoice;
  readonly rest: Rest;
}

function echoOf(body: Fields, { instructions, parsedTools, choice, rest }: Echoed): RequestEcho {
  const { sampling, identifiers } = rest;
  return {
    instructions: instructions ?? null,
    max_output_tokens: sampling?.maxOutputTokens ?? null,
    max_tool_calls: rest.maxToolCalls ?? null,
    metadata: rest.metadata,
    parallel_tool_calls: rest.parallelToolCalls ?? true,
    safety_identifier: identifiers.safetyIdentifier ?? null,
    temperature: sampling?.temperature ?? null,
    tool_choice: choice.echo,
    tools: parsedTools.map(({ echo }) => echo),
    top_p: sampling?.topP ?? null,
    user: identifiers.user ?? null,
    ...echoOptions(body, rest.options),
  };
}

/** The rest of a request, beside its models and its input. */
interface Rest {
  readonly prompt: StoredPrompt | undefined;
  readonly sampling: Sampling | undefined;
  readonly maxToolCalls: number | undefined;
  readonly options: ModelOptions;
  readonly parallelToolCalls: boolean | undefined;
  readonly metadata: RequestEcho['metadata'];
  readonly identifiers: Identifiers;
  readonly stream: boolean;
  readonly echoesUpstreamBody: boolean;
}

/** Most requests have no other fields: nothing else has to be looked for then. */
const plainNames: ReadonlySet<string> = new Set([
  'model',
  'input',
  'instructions',
  'max_output_tokens',
  'temperature',
  'top_p',
  'stream',
]);
const noOptions: ModelOptions = {};
const noMetadata: RequestEcho['metadata'] = {};
const nobody: Identifiers = {
  user: undefined,
  sessionId: undefined,
  safetyIdentifier: undefined,
  trace: '',
};

/** As parseRest, of a body with these fields alone. */
function plainRest(body: Fields): Rest {
  return {
    prompt: undefined,
    sampling: parseSampling(body),
    maxToolCalls: undefined,
    options: noOptions,
    parallelToolCalls: undefined,
    metadata: noMetadata,
    identifiers: nobody,
    stream: body.boolean('stream') ?? false,
    echoesUpstreamBody: false,
  };
}

function parseRest(body: Fields, tools: readonly Tool[], issues: Issues): Rest {
  const prompt = parsePrompt(body, issues);
  const sampling = parseSampling(body);
  const maxToolCalls = parseMaxToolCalls(body);
  const asked = parseOptions(body, issues);
  const nativeCallsMax = nativeCalls(body, tools, maxToolCalls);
  const options = nativeCallsMax === undefined ? asked : { ...asked, nativeCallsMax };
  const parallelToolCalls = body.boolean('parallel_tool_calls');
  const metadata = parseMetadata(body, issues);
  const identifiers = parseIdentifiers(body, issues);
  const stream = body.boolean('stream') ?? false;
  const echoesUpstreamBody = parseDebug(body, issues);
  refuseTruncation(body, parsePlugins(body, issues), issues);
  checkStopConditions(body, issues);
  refuseUnstored(body);
  refuseSeveralAnswers(body);
  return {
    prompt,
    sampling,
    maxToolCalls,
    options,
    parallelToolCalls,
    metadata,
    identifiers,
    stream,
    echoesUpstreamBody,
  };
}

function parseMaxToolCalls(body: Fields): number | undefined {
  const asked = body.integer('max_tool_calls', { min: 1, max: Number.MAX_SAFE_INTEGER });
  return asked === undefined ? undefined : Math.min(asked, toolCallsMax);
}

/** Tools of the provider's own are called by it: it is told the bound, unless conditions take its place. */
function nativeCalls(
  body: Fields,
  tools: readonly Tool[],
  nativeCallsMax: number | undefined,
): number | undefined {
  const isMeant =
    tools.some(({ type }) => type === 'native') && !body.has('stop_server_tools_when');
  return isMeant ? nativeCallsMax : undefined;
}

function chosenOf(body: Fields, tools: readonly ParsedTool[], issues: Issues): ParsedToolChoice {
  const types = new Set([
    ...typesOf(body.value('tools')),
    ...tools.map(({ tool }) => typeOf(tool)),
  ]);
  return parseToolChoice(body, { tools, types }, issues);
}

/** Returns the tools. A tool that an item of the input adds replaces one of the same name. */
function withAdded(
  tools: readonly ParsedTool[],
  added: readonly ParsedTool[],
): readonly ParsedTool[] {
  if (added.length === 0) return tools;
  const names = new Set(added.map(({ tool }) => nameOf(tool)).filter((name) => name !== undefined));
  return [...tools.filter(({ tool }) => !names.has(nameOf(tool) ?? '')), ...added];
}

function listed(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function typesOf(tools: unknown): readonly unknown[] {
  return listed(tools).flatMap((tool) => (isObject(tool) ? [tool['type']] : []));
}

function typeOf(tool: Tool): unknown {
  return tool.type === 'native' ? tool.tool['type'] : tool.type;
}

interface Sampling {
  readonly maxOutputTokens: number | undefined;
  readonly temperature: number | undefined;
  readonly topP: number | undefined;
}

/** undefined: nothing is said of it. */
function parseSampling(body: Fields): Sampling | undefined {
  const maxOutputTokens = body.integer('max_output_tokens', integers);
  const temperature = body.number('temperature', temperatures);
  const topP = body.number('top_p', shares);
  const isTold = maxOutputTokens ?? temperature ?? topP;
  return isTold === undefined ? undefined : { maxOutputTokens, temperature, topP };
}

const integers = { min: 1, max: Number.MAX_SAFE_INTEGER };
const temperatures = { min: 0, max: 2 };
const shares = { min: 0, max: 1 };
