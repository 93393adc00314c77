import type { JsonObject } from '@sluice/client-schemas';
import { Type } from 'typebox';
import { commandArguments, description } from '../sandbox/arguments.ts';
import { checkSettings } from '../sandbox/check-settings.ts';
import { runCommands } from '../sandbox/run-commands.ts';
import { sandboxToolSeconds, type SandboxToolOptions } from '../sandbox/options.ts';
import { sandboxPricing } from '../sandbox/pricing.ts';
import { errorResult, type ServerTool, type ToolResult } from '../tool.ts';

const type = 'service:shell';

/** Returns the tool that runs commands in a sandbox and tells how each of them ended. */
export function shellTool({ sandbox, catalog, ...place }: SandboxToolOptions): ServerTool {
  const pricing = sandboxPricing(catalog, type);
  return {
    type,
    timeoutMs: sandboxToolSeconds * 1_000,
    asFunction: () => ({ description, parameters: Type.Object(commandArguments) }),
    check: (settings, caller) => checkSettings({ ...place, sandbox }, settings, caller),
    worstCost: () => pricing.worst(sandboxToolSeconds),
    opening: (args, { callId }) => ({ action: actionOf(args), call_id: callId }),
    async run(args, context): Promise<ToolResult> {
      const action = actionOf(args);
      const item = { action, call_id: context.callId, arguments: JSON.stringify(args) };
      if (!sandbox)
        return errorResult('sandbox unavailable', {
          ...item,
          error: 'sandbox unavailable',
          status: 'failed',
        });
      const { commands, timeout_ms: timeoutMs, max_output_length: outputMax } = action;
      const asked = { commands, timeoutMs, outputMax };
      const ran = await runCommands({ ...place, sandbox }, asked, context);
      const { results, containerId, files, problem: error } = ran;
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
