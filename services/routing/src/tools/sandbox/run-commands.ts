import type { SandboxSettings } from '@sluice/client-schemas';
import { Fault } from '@sluice/errors';
import type { RunCommandResponse } from '@sluice/protos/sluice/sandbox/v1/sandbox';
import type { ToolContext } from '../tool.ts';
import { allowedDomainsOf, containerIdOf, fileIdsOf } from './container-of.ts';
import { copyFiles } from './copy-files.ts';
import type { SandboxToolOptions } from './options.ts';
import type { Sandbox } from './sandbox.ts';

export interface Commands {
  readonly commands: readonly string[];
  readonly timeoutMs: number | undefined;
  /** Bytes that are kept of each output. */
  readonly outputMax: number | undefined;
}

/** The sandbox, and the files that are copied into it. */
export interface CommandsPlace extends Pick<SandboxToolOptions, 'files'> {
  readonly sandbox: Sandbox;
}

/** A result of one command, as `shell_call_output` has it. */
export interface ShellResult {
  readonly stdout: string;
  readonly stderr: string;
  readonly outcome:
    | { readonly type: 'exit'; readonly exit_code: number }
    | { readonly type: 'timeout' };
}

export interface FileCitation {
  readonly type: 'container_file_citation';
  readonly container_id: string;
  readonly file_id: string;
  readonly filename: string;
  readonly start_index: number;
  readonly end_index: number;
}

export interface CommandsRun {
  readonly containerId: string;
  readonly results: readonly ShellResult[];
  /** Files that the commands made or changed, the latest first. */
  readonly files: readonly FileCitation[];
  /** Seconds in the sandbox. */
  readonly seconds: number;
  /** The reason why not all commands ran. */
  readonly problem?: string;
}

const filesMax = 10;
const killedStatus = 137;
const outputMaxDefault = 65_536;
const outputMaxMost = 1_048_576;

/** Runs commands one after the other in the container of the call. The last one that runs is the first that is late. */
export async function runCommands(
  place: CommandsPlace,
  { commands, timeoutMs, outputMax = outputMaxDefault }: Commands,
  context: ToolContext<SandboxSettings>,
): Promise<CommandsRun> {
  const { sandbox } = place;
  const { settings, principal, signal } = context;
  const containerId = containerIdOf(settings, context);
  const { accountId, workspaceId } = principal;
  const container = { accountId, workspaceId, containerId };
  const results: ShellResult[] = [];
  let milliseconds = 0;
  const ended = (rest: Partial<CommandsRun> = {}): CommandsRun => ({
    containerId,
    results,
    files: [],
    seconds: milliseconds / 1_000,
    ...rest,
  });
  try {
    const known = await openHome(place, container, settings);
    for (const command of commands) {
      const leftMs = Math.floor(context.deadlineMs - performance.now());
      if (signal.aborted || leftMs <= 0) return ended({ problem: 'the time is up' });
      const asked = {
        container,
        command,
        timeoutMs: Math.max(1, Math.min(timeoutMs ?? leftMs, leftMs)),
        outputBytesMax: Math.min(outputMax, outputMaxMost),
      };
      const ran = await sandbox.runCommand(asked, { signal });
      milliseconds += Number(ran.durationMs);
      results.push(resultOf(ran));
    }
    const { files } = await sandbox.listFiles({ container });
    const changed = files.filter(({ path, changedAtMs }) => known.get(path) !== changedAtMs);
    return ended({
      files: changed.slice(0, filesMax).map(({ path }) => citation(containerId, path)),
    });
  } catch (error) {
    return ended({ problem: problemOf(error) });
  }
}

/** Opens the container with the files of the settings in it, and returns when each file of the home was changed. */
async function openHome(
  { sandbox, files }: CommandsPlace,
  container: { accountId: string; workspaceId: string; containerId: string },
  settings: SandboxSettings,
): Promise<ReadonlyMap<string, bigint>> {
  const list = async () => {
    const listed = await sandbox.listFiles({ container });
    return new Map(listed.files.map(({ path, changedAtMs }) => [path, changedAtMs]));
  };
  const { isNew } = await sandbox.openContainer({
    container,
    allowedDomains: allowedDomainsOf(settings),
    sleepAfterSeconds: settings.sleep_after_seconds ?? 0,
  });
  const known = isNew ? new Map<string, bigint>() : await list();
  const ids = fileIdsOf(settings);
  if (ids.length === 0) return known;
  await copyFiles({ sandbox, files }, { container, known, ids });
  return await list();
}

/** The model reads it. */
function problemOf(error: unknown): string {
  const isTold =
    error instanceof Fault && ['conflict', 'invalid_request', 'rate_limited'].includes(error.code);
  return isTold ? error.message : 'sandbox unavailable';
}

function resultOf(ran: RunCommandResponse): ShellResult {
  const stdout = Buffer.from(ran.stdout).toString();
  const told = ran.outcome === 'OUTCOME_KILLED' ? `\n[the command was ended: ${ran.reason}]` : '';
  const stderr = `${Buffer.from(ran.stderr).toString()}${told}`;
  if (ran.outcome === 'OUTCOME_TIMED_OUT') return { stdout, stderr, outcome: { type: 'timeout' } };
  const exit_code = ran.outcome === 'OUTCOME_KILLED' ? killedStatus : ran.exitCode;
  return { stdout, stderr, outcome: { type: 'exit', exit_code } };
}

function citation(containerId: string, path: string): FileCitation {
  return {
    type: 'container_file_citation',
    container_id: containerId,
    file_id: `cfile_${Buffer.from(path).toString('base64url')}`,
    filename: path.split('/').at(-1) ?? path,
    start_index: 0,
    end_index: 0,
  };
}
