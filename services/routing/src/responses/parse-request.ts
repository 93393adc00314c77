import type { Rejection } from '@sluice/errors';
import type { FunctionTool, ToolChoice } from '@sluice/inference';
import { Fields } from './fields.ts';
import { Issues } from './issues.ts';
import { readJsonBody } from './json-body.ts';
import {
  identifierCharactersMax,
  modelCharactersMax,
  safetyIdentifierCharactersMax,
  toolCallsMax,
} from './limits.ts';
import { parseInput } from './parse-input.ts';
import { parseMetadata } from './parse-metadata.ts';
import { parseToolChoice, parseTools } from './parse-tools.ts';
import type { RequestEcho, ResponsesRequest } from './request.ts';
import { refuseUnbuilt, refuseUnstored } from './unsupported-fields.ts';

/**
 * Reads a body of `POST /responses`: the request, or why it is none. Nothing that the contract names
 * is ignored: what is not built yet is refused, keys outside the contract are skipped.
 */
export function parseResponsesRequest(body: Uint8Array): ResponsesRequest | Rejection {
  const issues = new Issues();
  const object = readJsonBody(body, issues);
  const request = object && parseFields(new Fields(object, { path: '', issues }), issues);
  const rejection = issues.rejection();
  if (rejection) return rejection;
  if (!request) throw new Error('invariant: a body without issues is a request');
  return request;
}

function parseFields(body: Fields, issues: Issues): ResponsesRequest {
  const model = parseModel(body, issues);
  const instructions = body.string('instructions');
  const items = parseInput(body, instructions, issues);
  const tools = parseTools(body, issues);
  const toolChoice = parseToolChoice(body, tools, issues);
  const sampling = parseSampling(body);
  const parallelToolCalls = body.boolean('parallel_tool_calls');
  const metadata = parseMetadata(body, issues);
  const user = parseUser(body);
  const sessionId = body.string('session_id', { charactersMax: identifierCharactersMax });
  const safetyIdentifier = body.string('safety_identifier', {
    charactersMax: safetyIdentifierCharactersMax,
  });
  const maxToolCalls = body.integer('max_tool_calls', { min: 1, max: Number.MAX_SAFE_INTEGER });
  const stream = body.boolean('stream') ?? false;
  refuseUnstored(body);
  refuseUnbuilt(body, issues);
  return {
    model,
    inference: { items, tools, toolChoice, parallelToolCalls, ...sampling, stream },
    user,
    sessionId,
    safetyIdentifier,
    echo: {
      instructions: instructions ?? null,
      max_output_tokens: sampling.maxOutputTokens ?? null,
      max_tool_calls: maxToolCalls === undefined ? null : Math.min(maxToolCalls, toolCallsMax),
      metadata,
      parallel_tool_calls: parallelToolCalls ?? true,
      safety_identifier: safetyIdentifier ?? null,
      temperature: sampling.temperature ?? null,
      tool_choice: echoToolChoice(toolChoice),
      tools: tools.map(echoTool),
      top_p: sampling.topP ?? null,
      user: user ?? null,
    } satisfies RequestEcho,
  };
}

function parseModel(body: Fields, issues: Issues): string {
  const models = body.value('models');
  const namesModels = Array.isArray(models) && models.length > 0;
  if (!body.has('model') && !namesModels) {
    issues.add('model', 'is required', 'model_not_found');
  }
  return body.string('model', { charactersMin: 1, charactersMax: modelCharactersMax }) ?? '';
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

function parseUser(body: Fields): string | undefined {
  const user = body.string('user', { charactersMin: 1, charactersMax: identifierCharactersMax });
  if (user !== undefined && /\p{Cc}/u.test(user)) {
    return body.refuse('user', 'must not have control characters');
  }
  return user;
}

function echoTool(tool: FunctionTool): unknown {
  return {
    type: 'function',
    name: tool.name,
    description: tool.description ?? null,
    parameters: tool.parameters ?? null,
    strict: tool.strict ?? null,
  };
}

function echoToolChoice(choice: ToolChoice): unknown {
  return choice.type === 'function' ? choice : choice.type;
}
