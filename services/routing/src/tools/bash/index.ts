import type { JsonObject, SandboxSettings } from '@sluice/client-schemas';
import { Type } from 'typebox';
import { commandArgument, commandArguments, description } from '../sandbox/arguments.ts';
import { checkSettings } from '../sandbox/check-settings.ts';
import { runCommands, type CommandsRun } from '../sandbox/run-commands.ts';
import { sandboxToolSeconds, type SandboxToolOptions } from '../sandbox/options.ts';
import { sandboxPricing } from '../sandbox/pricing.ts';
import { errorResult, type ServerTool, type ToolResult } from '../tool.ts';

const type = 'service:bash';

/** Returns the tool that runs commands of bash. Its call goes to the client unless the engine is `service`. */
export function bashTool({ sandbox, files, catalog }: SandboxToolOptions): ServerTool {
  const pricing = sandboxPricing(catalog, type);
  return {
    type,
    timeoutMs: sandboxToolSeconds * 1_000,
    isRunByClient: ({ engine }: SandboxSettings) => engine !== 'service',
    asFunction: () => ({
      description,
      parameters: Type.Object({
        command: commandArgument,
        commands: Type.Optional(commandArguments.commands),
        restart: Type.Optional(
          Type.Boolean({ description: 'Begins anew; files stay.', default: false }),
        ),
        timeout_ms: commandArguments.timeout_ms,
        max_output_length: commandArguments.max_output_length,
      }),
    }),
    check: (settings, caller) => checkSettings({ sandbox, files }, settings, caller),
    worstCost: () => pricing.worst(sandboxToolSeconds),
    opening: (args, { callId }) => ({ command: commandsOf(args).join('\n'), call_id: callId }),
    async run(args, context): Promise<ToolResult> {
      const commands = commandsOf(args);
      const command = commands.join('\n');
      const item = { command, call_id: context.callId, arguments: JSON.stringify(args) };
      // Each command begins anew anyway.
      if (commands.length === 0 && args['restart'] === true)
        return {
          output: 'the shell was restarted',
          item: { ...item, stdout: '', stderr: '', exitCode: 0 },
        };
      if (commands.length === 0)
        return errorResult('command or commands is missing', { ...item, status: 'failed' });
      if (!sandbox) return failed('sandbox unavailable', item);
      const ran = await runCommands(
        { sandbox, files },
        {
          commands,
          timeoutMs: args['timeout_ms'] as number | undefined,
          outputMax: args['max_output_length'] as number | undefined,
        },
        context,
      );
      return resultOf(ran, item, pricing.charge(ran.seconds));
    },
    replay: ({ command, stdout, stderr, exitCode, error }) =>
      typeof command === 'string'
        ? {
            arguments: JSON.stringify({ command }),
            output: JSON.stringify({ stdout, stderr, exit_code: exitCode, error }),
          }
        : undefined,
  };
}

function commandsOf({ command, commands }: JsonObject): readonly string[] {
  const one = typeof command === 'string' ? [command] : [];
  return [...one, ...((commands ?? []) as readonly string[])];
}

const failed = (error: string, item: JsonObject): ToolResult =>
  errorResult(error, { ...item, error, status: 'failed' });

function resultOf(ran: CommandsRun, item: JsonObject, charge: ToolResult['charge']): ToolResult {
  const { results, containerId, files, problem } = ran;
  const last = results.at(-1)?.outcome;
  const told = {
    ...item,
    stdout: results.map(({ stdout }) => stdout).join(''),
    stderr: results.map(({ stderr }) => stderr).join(''),
    ...(last?.type === 'exit' && { exitCode: last.exit_code }),
    container_id: containerId,
    ...(files.length > 0 && { files }),
  };
  const error = problem ?? (last?.type === 'timeout' ? 'the command ran out of time' : undefined);
  const output = JSON.stringify({ results, ...(problem !== undefined && { error: problem }) });
  return {
    output,
    item: {
      ...told,
      ...(error !== undefined && { error }),
      status: problem === undefined ? 'completed' : 'failed',
    },
    isError: problem !== undefined,
    ...(charge && { charge }),
  };
}
