import type { JsonObject, SubagentSettings } from '@sluice/client-schemas';
import type { FunctionTool, InputItem } from '@sluice/inference';
import { Type } from 'typebox';
import { askingMs, innerFields } from '../asking/inner-fields.ts';
import { message } from '../asking/transcript.ts';
import type { ModelAnswer, ModelQuestion } from '../ask-model.ts';
import type { OpeningContext, PendingCall, ServerTool, ToolContext, ToolResult } from '../tool.ts';
import { wireItems, withOwnIds } from './transcript.ts';
import { type OpenCall, openCalls } from './workers.ts';

const callsUsual = 25;
const nameCharactersMax = 256;
/** The client gets it, and sends it again. */
const transcriptCharactersMax = 4_194_304;

/** Returns the tool that lets another model do a part of the work, with tools of its own. */
export function subagentTool(): ServerTool {
  return {
    type: 'service:subagent',
    timeoutMs: askingMs,
    asFunction: (settings) => functionOf(settings),
    worstCost: () => 0n,
    opening: openingOf,
    run: delegate,
    replay({ task_name, task_description, outcome, model, error }) {
      if (typeof outcome !== 'string' && typeof error !== 'string') return undefined;
      const output =
        typeof outcome === 'string'
          ? { status: 'ok', model, task_name, outcome }
          : { status: 'error', task_name, error };
      return {
        arguments: JSON.stringify({ task_name, task_description }),
        output: JSON.stringify(output),
      };
    },
  };
}

function functionOf({ name }: SubagentSettings) {
  const named = typeof name === 'string' ? ` This one is called ${name.trim()}.` : '';
  return {
    description: `Lets another model do a task, which sees nothing of this conversation.${named}`,
    parameters: Type.Object({
      task_name: Type.String({
        description: 'A short name of the task.',
        minLength: 1,
        maxLength: nameCharactersMax,
        default: 'part',
      }),
      task_description: Type.String({
        description: 'The task, with all that the other model has to know.',
        minLength: 1,
        default: 'Say in one sentence what you can do.',
      }),
    }),
  };
}

function openingOf(args: JsonObject, { settings, callId, model, instances }: OpeningContext) {
  const { name, model: set }: SubagentSettings = settings;
  const trimmed = typeof name === 'string' ? name.trim() : undefined;
  return {
    call_id: callId,
    task_name: args['task_name'],
    task_description: args['task_description'],
    ...(trimmed !== undefined && { name: trimmed }),
    ...(trimmed !== undefined && instances > 1 && { instance_name: trimmed }),
    model: set ?? model,
  };
}

async function delegate(args: JsonObject, context: ToolContext): Promise<ToolResult> {
  const { worker, usageId } = context;
  const opened = openingOf(args, context);
  if (worker?.items.length === 0) return failed(opened, 'the worker cannot go on');
  const items = worker?.items ?? [message('user', String(args['task_description']))];
  const answer = await context.ask(questionOf(opened.model, items, context));
  const problem = problemOf(answer, context);
  if (problem !== undefined) return failed(opened, problem);
  const all = withOwnIds([...items, ...answer.transcript], usageId);
  const calls = openCalls(all);
  if (calls.length > 0) {
    const transcript = wireItems(all);
    const isShort = JSON.stringify(transcript).length <= transcriptCharactersMax;
    if (!isShort) return failed(opened, 'the conversation of the worker is too long');
    return {
      output: '',
      item: opened,
      suspension: { calls: calls.map(pending), items: transcript },
    };
  }
  const { model, text: outcome } = answer;
  const { task_name } = opened;
  return {
    output: JSON.stringify({ status: 'ok', model, task_name, outcome }),
    item: { ...opened, model, outcome },
  };
}

function questionOf(
  model: string,
  items: readonly InputItem[],
  { settings: given, functions }: ToolContext,
): ModelQuestion {
  const { instructions, tools, max_tool_calls: callsMax, ...settings }: SubagentSettings = given;
  const hasTools = (tools ?? []).length > 0;
  return {
    model,
    instructions: instructions ?? undefined,
    items,
    functions: inherited(given, functions),
    fields: {
      ...innerFields(settings),
      ...(hasTools && { tools, max_tool_calls: callsMax ?? callsUsual }),
    },
  };
}

function pending({ callId, name, namespace, arguments: text }: OpenCall): PendingCall {
  return { callId, name, ...(namespace !== undefined && { namespace }), arguments: text };
}

/** Returns the functions of the client that a worker may call. */
function inherited(
  { inherit_functions: all, inherited_function_names: named }: SubagentSettings,
  functions: readonly FunctionTool[],
): readonly FunctionTool[] {
  if (all === true) return functions;
  const names = new Set((named ?? []).map((name) => name.trim()));
  return functions.filter(({ name }) => names.has(name));
}

function failed(opened: ReturnType<typeof openingOf>, error: string): ToolResult {
  const { task_name } = opened;
  return {
    output: JSON.stringify({ status: 'error', task_name, error }),
    isError: true,
    item: { ...opened, status: 'failed', error },
  };
}

/** Returns why an answer is neither an outcome nor a wait for functions of the client. */
function problemOf(
  { error, text, transcript }: ModelAnswer,
  { settings, functions }: ToolContext,
): string | undefined {
  if (error) return error.message;
  const names = new Set(inherited(settings, functions).map(({ name }) => name));
  const calls = openCalls(transcript);
  if (calls.some(({ name }) => !names.has(name)))
    return 'the worker called a tool that only a client runs';
  return calls.length === 0 && text === '' ? 'the worker gave no outcome' : undefined;
}
