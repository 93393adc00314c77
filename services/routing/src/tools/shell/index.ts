import { isObject, type JsonObject } from '@sluice/client-schemas';
import { Type } from 'typebox';
import { commandArguments, description } from '../sandbox/arguments.ts';
import { checkSettings } from '../sandbox/check-settings.ts';
import { type CommandsRun, runCommands } from '../sandbox/run-commands.ts';
import { sandboxToolSeconds, type SandboxToolOptions } from '../sandbox/options.ts';
import { sandboxPricing } from '../sandbox/pricing.ts';
import { passedOn } from '../native.ts';
import { errorResult, type ServerTool, type ToolCharge, type ToolResult } from '../tool.ts';

const type = 'service:shell';

/** Returns the tool that runs commands in a sandbox and tells how each of them ended. */
export function shellTool({ sandbox, catalog, ...place }: SandboxToolOptions): ServerTool {
  const pricing = sandboxPricing(catalog, type);
  return {
    type,
    aliases: [...shortKinds],
    native: passedOn(...shortKinds),
    isOfClient: ({ environment }, kind) =>
      isShort(kind) && isObject(environment) && environment['type'] === 'local',
    itemType: (kind) => (isShort(kind) ? 'shell_call' : type),
    timeoutMs: sandboxToolSeconds * 1_000,
    asFunction: () => ({ description, parameters: Type.Object(commandArguments) }),
    async check(settings, caller) {
      // The settings of OpenAI's short kinds are for an endpoint that runs them.
      if (isShort(caller.kind)) return undefined;
      return await checkSettings({ ...place, sandbox }, settings, caller);
    },
    worstCost: () => pricing.worst(sandboxToolSeconds),
    opening: (args, { callId }) => ({ action: actionOf(args), call_id: callId }),
    async run(args, context): Promise<ToolResult> {
      const action = actionOf(args);
      const item = { action, call_id: context.callId, arguments: JSON.stringify(args) };
      if (!sandbox)
        return errorResult('sandbox unavailable', {
          ...item,
          error: 'sandbox unavailable',
          status: isShort(context.kind) ? 'incomplete' : 'failed',
        });
      const { commands, timeout_ms: timeoutMs, max_output_length: outputMax } = action;
      const asked = { commands, timeoutMs, outputMax };
      const isInKind = isShort(context.kind);
      // A short kind has no settings of ours.
      const own = isInKind ? { ...context, settings: {} } : context;
      const ran = await runCommands({ ...place, sandbox }, asked, own);
      const { results, containerId, files, problem: error } = ran;
      if (isInKind) return inKind(item, ran, pricing.charge(ran.seconds));
      return {
        output: JSON.stringify({ results, ...(error !== undefined && { error }) }),
        isError: error !== undefined,
        item: {
          ...item,
          output: results,
          container_id: containerId,
          ...(files.length > 0 && { files }),
          ...(error !== undefined && { error }),
          status: error === undefined ? 'completed' : 'failed',
        },
        charge: pricing.charge(ran.seconds),
      };
    },
    replay: ({ action, output, error }) => ({
      arguments: JSON.stringify(action ?? {}),
      output: JSON.stringify({ results: output, error }),
    }),
  };
}

/** The kinds of OpenAI's API. A client that knows `local_shell_call` would run its commands again. */
const shortKinds = ['shell', 'local_shell'] as const;

function isShort(kind: string): boolean {
  return shortKinds.some((one) => one === kind);
}

/** Returns the result in the items of OpenAI's API, which has the outputs of a call in an item of their own. */
function inKind(
  { action, call_id }: JsonObject,
  { results, containerId, problem: error }: CommandsRun,
  charge: ToolCharge,
): ToolResult {
  const status = error === undefined ? ('completed' as const) : ('incomplete' as const);
  const more = error === undefined ? {} : { error };
  const output = { type: 'shell_call_output', call_id, status, output: results, ...more };
  return {
    output: JSON.stringify({ results, ...more }),
    isError: error !== undefined,
    item: { action, call_id, status },
    followedBy: [{ ...output, container_id: containerId }],
    charge,
  };
}

interface Action {
  readonly commands: readonly string[];
  readonly timeout_ms?: number;
  readonly max_output_length?: number;
}

const actionOf = ({ commands, timeout_ms, max_output_length }: JsonObject) =>
  ({
    commands,
    ...(timeout_ms !== undefined && { timeout_ms }),
    ...(max_output_length !== undefined && { max_output_length }),
  }) as Action;
