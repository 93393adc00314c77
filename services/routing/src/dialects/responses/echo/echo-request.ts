import type { ResponsesBody } from '@sluice/client-schemas';
import { nativeCallsMaxOf } from '@sluice/providers';
import { isRunByService } from '../../../request/tool-kinds.ts';
import { toolCallsMax } from '../../body/limits.ts';
import { readCallsMax } from '../read/read-options.ts';
import type { ParsedTool } from '../read/read-tools.ts';
import type { RequestEcho } from './request-echo.ts';

/** Returns the fields of a request that the response repeats. */
export function echoRequest(body: ResponsesBody, tools: readonly ParsedTool[]): RequestEcho {
  const { reasoning, prompt_cache_options: cache } = body;
  return {
    instructions: body.instructions ?? null,
    max_output_tokens: body.max_output_tokens ?? null,
    max_tool_calls: callsMaxOf(body, tools),
    metadata: body.metadata ?? {},
    parallel_tool_calls: body.parallel_tool_calls ?? true,
    safety_identifier: body.safety_identifier ?? null,
    temperature: body.temperature ?? null,
    tool_choice: echoChoice(body),
    tools: tools.map(({ echo }) => echo),
    top_p: body.top_p ?? null,
    user: body.user ?? null,
    frequency_penalty: body.frequency_penalty || null,
    presence_penalty: body.presence_penalty || null,
    top_logprobs: body.top_logprobs ?? 0,
    reasoning: reasoning ? echoReasoning(reasoning) : null,
    text: echoText(body),
    prompt: body.prompt ?? null,
    prompt_cache_key: body.prompt_cache_key ?? null,
    truncation: body.truncation ?? 'disabled',
    prompt_cache_options: cache ? { mode: 'explicit', ttl: cache.ttl ?? null } : null,
  };
}

/**
 * Returns the bound of the calls of tools that a provider or the service runs. null: there is none, or stop conditions
 * replace it.
 */
function callsMaxOf(body: ResponsesBody, parsed: readonly ParsedTool[]): number | null {
  const tools = parsed.flatMap(({ tools: placed }) => placed.map(({ tool }) => tool));
  const isServed = tools.some((tool) => tool.type === 'native' && isRunByService(tool.tool));
  if (isServed && body.stop_server_tools_when) return null;
  return readCallsMax(body) ?? (isServed ? toolCallsMax : (nativeCallsMaxOf({ tools }) ?? null));
}

function echoChoice({ tool_choice: choice }: ResponsesBody): unknown {
  if (choice === undefined || choice === null) return 'auto';
  if (typeof choice === 'string') return choice;
  if (choice.type !== 'function' && choice.type !== 'custom') return choice;
  return { type: choice.type, name: choice.name };
}

/** Returns null if the request has no option that the response repeats. */
function echoReasoning(reasoning: NonNullable<ResponsesBody['reasoning']>): object | null {
  const { effort, summary, context, max_tokens: tokensMax, enabled } = reasoning;
  if ((effort ?? summary ?? context ?? tokensMax ?? enabled ?? null) === null) return null;
  return {
    effort: effort ?? null,
    summary: summary ?? null,
    ...(context && { context }),
  };
}

function echoText({ text }: ResponsesBody): object {
  const { format, verbosity } = text ?? {};
  return {
    format: format ?? { type: 'text' },
    ...((verbosity ?? null) !== null && { verbosity }),
  };
}
