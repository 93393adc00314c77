import type { Rejection } from '@sluice/errors';
import type { Tool } from '@sluice/inference';
import type { RequestDefaults } from '../policy/policy.ts';
import { checkCalls } from './check-calls.ts';
import { checkDeferred } from './deferred-tools.ts';
import { echoOptions } from './echo-options.ts';
import { Fields, isObject } from './fields.ts';
import { Issues } from './issues.ts';
import { readJsonBody } from './json-body.ts';
import { toolCallsMax } from './limits.ts';
import { parseDebug } from './parse-debug.ts';
import { parseIdentifiers } from './parse-identifiers.ts';
import { parseInput } from './parse-input.ts';
import { parseMetadata } from './parse-metadata.ts';
import { parsePreferences } from './parse-preferences.ts';
import { parseOptions } from './parse-options.ts';
import { parsePrompt } from './parse-prompt.ts';
import { auto, type ParsedToolChoice, parseToolChoice } from './parse-tool-choice.ts';
import { parsePlugins, refuseTruncation } from './parse-plugins.ts';
import { asyncNames, nameOf, parseTools, type ParsedTool } from './parse-tools.ts';
import type { RequestEcho, ResponsesRequest } from './request.ts';
import { checkStopConditions } from './stop-conditions.ts';
import { refuseSeveralAnswers, refuseUnstored } from './unsupported-fields.ts';

/**
 * Reads a body of `POST /responses`: the request, or why it is none. Nothing that the contract names
 * is ignored: what is not built yet is refused, keys outside the contract are skipped.
 */
export function parseResponsesRequest(
  body: Uint8Array,
  defaults: RequestDefaults = {},
): ResponsesRequest | Rejection {
  const issues = new Issues();
  const object = readJsonBody(body, issues);
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
    preferences,
    inference: {
      items,
      tools,
      toolChoice: choice.choice,
      parallelToolCalls,
      maxOutputTokens: sampling.maxOutputTokens,
      temperature: sampling.temperature,
      topP: sampling.topP,
      options,
      stream,
      ...(prompt && { prompt }),
    },
    user: identifiers.user,
    sessionId: identifiers.sessionId,
    safetyIdentifier: identifiers.safetyIdentifier,
    trace: identifiers.trace,
    echoesUpstreamBody: echoesUpstreamBody && stream,
    echo: {
      instructions: instructions ?? null,
      max_output_tokens: sampling.maxOutputTokens ?? null,
      max_tool_calls: maxToolCalls ?? null,
      metadata,
      parallel_tool_calls: parallelToolCalls ?? true,
      safety_identifier: identifiers.safetyIdentifier ?? null,
      temperature: sampling.temperature ?? null,
      tool_choice: choice.echo,
      tools: parsedTools.map(({ echo }) => echo),
      top_p: sampling.topP ?? null,
      user: identifiers.user ?? null,
      ...echoOptions(body, options),
    } satisfies RequestEcho,
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

/** What an item of the input adds takes the place of a tool of the same name. */
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

function parseSampling(body: Fields): {
  readonly maxOutputTokens: number | undefined;
  readonly temperature: number | undefined;
  readonly topP: number | undefined;
} {
  return {
    maxOutputTokens: body.integer('max_output_tokens', { min: 1, max: Number.MAX_SAFE_INTEGER }),
    temperature: body.number('temperature', { min: 0, max: 2 }),
    topP: body.number('top_p', { min: 0, max: 1 }),
  };
}
