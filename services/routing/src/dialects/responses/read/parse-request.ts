import {
  isResponsesBody,
  type ResponsesBody,
  responsesBody,
  knownFieldsOf,
} from '@sluice/client-schemas';
import type { Rejection } from '@sluice/errors';
import { jsonPlace, type JsonShape, type StoredPrompt } from '@sluice/inference';
import type { RequestDefaults } from '../../../policy/policy.ts';
import type { CanonicalCall } from '../../../request/call.ts';
import { qualifyCalls } from '../../../request/qualify-calls.ts';
import { interruptedWarning } from '../../../request/calls-without-output.ts';
import { checkRequest, unstoredNames } from '../check/check-request.ts';
import { echoRequest } from '../echo/echo-request.ts';
import { parseBody } from '../../body/parse-body.ts';
import { readPart } from './read-content.ts';
import { readInput } from './read-input.ts';
import { readCallsMax, readOptions } from './read-options.ts';
import { deferredWarning } from '../../service-fields/deferred-tools.ts';
import { leaveOutUnserved, unsupportedModeOf } from '../../service-fields/hosted-tools.ts';
import { preventedWarning } from '../../service-fields/read-plugins.ts';
import { answeredBy } from '../../service-fields/answered-by.ts';
import { readPreferences } from '../../service-fields/read-preferences.ts';
import { readServiceFields } from '../../service-fields/read-service-fields.ts';
import { tierOf } from '../../service-fields/tier.ts';
import { canonicalTools, deferrableTools, isServed, readTools } from './read-tools.ts';
import { readToolChoice } from './read-tool-choice.ts';
import type { RequestEcho } from '../echo/request-echo.ts';
import { joinWarnings } from '../../body/join-warnings.ts';
import { unknownWordsWarning } from './unknown-words.ts';
import { unknownFieldsWarning } from '../../body/unknown-fields.ts';

/** A call of this dialect, with the fields that its response object repeats. */
export interface ResponsesRequest extends CanonicalCall {
  readonly echo: RequestEcho;
}

/** The fields that are read, or refused by their name. */
const knownFields = knownFieldsOf(responsesBody, ['input'], unstoredNames);

/** The objects of a body that pass to the model as they are. */
const exactPlaces = [
  'tools[].parameters',
  'tools[].output_schema',
  'tools[].tools[].parameters',
  'tools[].tools[].output_schema',
  'tools[].filters',
  'input[].tools[].parameters',
  'input[].tools[].output_schema',
  'input[].tools[].tools[].parameters',
  'input[].tools[].tools[].output_schema',
  'input[].action',
  'input[].actions',
  'text.format.schema',
].map(jsonPlace);

/**
 * Parses a body of `POST /responses`. Returns the request, or the reason why it is invalid. Fields of the contract are
 * never ignored: a feature that is not built is refused. Keys outside the contract are skipped and named in a warning.
 * `shape` has the counts that `scanBody` made of a large body.
 */
export function parseResponsesRequest(
  body: Uint8Array,
  defaults: RequestDefaults = {},
  shape?: JsonShape,
): ResponsesRequest | Rejection {
  return parseBody(body, shape, {
    schema: responsesBody,
    isBody: isResponsesBody,
    exact: exactPlaces,
    check: (object, issues, isFine) => checkRequest(object, defaults, issues, isFine),
    read: readRequest,
    door: 'responses',
    defaults,
  });
}

function readRequest(body: ResponsesBody, defaults: RequestDefaults): ResponsesRequest {
  const parsed = readTools(body);
  const tools = canonicalTools(parsed);
  const given = { tools, toolChoice: readToolChoice(body, tools) };
  const mode = unsupportedModeOf(body, defaults);
  const { request, leftOut } = leaveOutUnserved(given, { mode, isServed });
  const items = readInput(body)
    .map(({ item }) => item)
    .map(qualifyCalls(tools));
  const stream = body.stream ?? false;
  const service = readServiceFields(withTruncation(body), defaults);
  const callsMax = readCallsMax(body);
  return {
    ...service,
    preferences: readPreferences(body, defaults, {
      tier: tierOf(body.service_tier),
      isDefaultTierOnly: body.service_tier === 'default',
      wantsPro: body.reasoning?.mode === 'pro',
    }),
    inference: {
      items,
      tools: request.tools,
      toolChoice: request.toolChoice,
      parallelToolCalls: body.parallel_tool_calls ?? undefined,
      maxOutputTokens: body.max_output_tokens ?? undefined,
      temperature: body.temperature ?? undefined,
      topP: body.top_p ?? undefined,
      options: readOptions(body, request.tools),
      stream,
      ...(body.prompt && { prompt: readPrompt(body.prompt) }),
    },
    ...(callsMax !== undefined && { loop: { callsMax, ...service.loop } }),
    ...answeredBy(body.input),
    leftOut,
    ...joinWarnings(
      unknownFieldsWarning(body, knownFields),
      unknownWordsWarning(body),
      interruptedWarning(items, tools),
      deferredWarning(deferrableTools(body)),
      preventedWarning(body, defaults),
    ),
    echo: echoRequest(body, parsed),
  };
}

/** `truncation: auto` stands for the plugin, unless the request names it. */
function withTruncation(body: ResponsesBody): ResponsesBody {
  const { truncation, plugins } = body;
  const isNamed = plugins?.some(({ id }) => id === 'context-compression') ?? false;
  if (truncation !== 'auto' || isNamed) return body;
  return { ...body, plugins: [...(plugins ?? []), { id: 'context-compression' }] };
}

function readPrompt({
  id,
  version,
  variables,
}: NonNullable<ResponsesBody['prompt']>): StoredPrompt {
  const read = Object.entries(variables ?? {}).map(([name, value]) => [
    name,
    typeof value === 'string' ? value : readPart(value),
  ]);
  return {
    id,
    version: version ?? undefined,
    variables: Object.fromEntries(read) as StoredPrompt['variables'],
  };
}
