import {
  isResponsesBody,
  problemsOf,
  type ResponsesBody,
  responsesBody,
} from '@sluice/client-schemas';
import type { Rejection } from '@sluice/errors';
import type { StoredPrompt } from '@sluice/inference';
import type { RequestDefaults } from '../../policy/policy.ts';
import type { CanonicalCall } from '../../request/call.ts';
import { checkRequest } from './check-request.ts';
import { echoRequest } from './echo-request.ts';
import { Issues } from './issues.ts';
import { readJsonBody } from './json-body.ts';
import type { JsonShape } from './json-shape.ts';
import { issuesMax } from './limits.ts';
import { readPart } from './read-content.ts';
import { readInput } from './read-input.ts';
import { readOptions } from './read-options.ts';
import { readPreferences } from './read-preferences.ts';
import { readTools } from './read-tools.ts';
import { readToolChoice } from './read-tool-choice.ts';
import type { RequestEcho } from './request-echo.ts';
import { unknownFieldsWarning } from './unknown-fields.ts';

/** A call of this dialect, with the fields that its response object repeats. */
export interface ResponsesRequest extends CanonicalCall {
  readonly echo: RequestEcho;
}

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
  const issues = new Issues();
  const object = readJsonBody(body, issues, shape);
  if (!object) return rejectionOf(issues);
  if (!isResponsesBody(object)) {
    const problems = problemsOf(responsesBody, object, { max: issuesMax });
    if (problems.length === 0) throw new Error('invariant: a body that is wrong has a problem');
    issues.addAll(problems);
    const wrong = new Set(problems.map(({ path }) => /^[^.[]*/.exec(path)?.[0]));
    // The checks skip fields that violate the schema.
    checkRequest(object, defaults, issues, (...names) => names.every((name) => !wrong.has(name)));
    return rejectionOf(issues);
  }
  checkRequest(object, defaults, issues);
  return issues.count > 0 ? rejectionOf(issues) : readRequest(object, defaults);
}

function rejectionOf(issues: Issues): Rejection {
  const rejection = issues.rejection();
  if (!rejection) throw new Error('invariant: a body that is no request has an issue');
  return rejection;
}

function readRequest(body: ResponsesBody, defaults: RequestDefaults): ResponsesRequest {
  const tools = readTools(body);
  const stream = body.stream ?? false;
  const trace = JSON.stringify(body.trace ?? {});
  const warning = unknownFieldsWarning(body);
  return {
    preferences: readPreferences(body, defaults),
    inference: {
      items: readInput(body).map(({ item }) => item),
      tools: tools.map(({ tool }) => tool),
      toolChoice: readToolChoice(body),
      parallelToolCalls: body.parallel_tool_calls ?? undefined,
      maxOutputTokens: body.max_output_tokens ?? undefined,
      temperature: body.temperature ?? undefined,
      topP: body.top_p ?? undefined,
      options: readOptions(body, tools),
      stream,
      ...(body.prompt && { prompt: readPrompt(body.prompt) }),
    },
    user: body.user ?? undefined,
    sessionId: body.session_id ?? undefined,
    safetyIdentifier: body.safety_identifier ?? undefined,
    trace: trace === '{}' ? '' : trace,
    demandsModeration: body.plugins?.some(({ id }) => id === 'moderation') ?? false,
    echoesUpstreamBody: (body.debug?.echo_upstream_body ?? false) && stream,
    ...(warning !== undefined && { warning }),
    echo: echoRequest(body, tools),
  };
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
