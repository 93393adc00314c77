import type { CommandHandle, Sandbox } from 'e2b';
import { boxEnvironment, confined } from '../../engine/confine.ts';
import { type Command, homeDirectory } from '../../engine/engine.ts';
import { type BoxLimits, drainedBytesMax } from '../../engine/limits.ts';

/** The user of commands. E2B's own user may become root by `sudo`, which `no_new_privs` takes away. */
const user = 1_000;
const asUser =
  `setpriv --reuid ${user} --regid ${user} --clear-groups --inh-caps=-all --ambient-caps=-all ` +
  '--bounding-set=-all --no-new-privs --';
/** Ends all processes of commands. Those of the machine are of other users. */
const sweep =
  `sweep() { for round in {1..100}; do ${asUser} /bin/bash --norc -c 'kill -9 -1' 2>/dev/null; ` +
  `[ -z "$(find /proc -maxdepth 1 -user ${user} -name '[0-9]*' 2>/dev/null)" ] && return; ` +
  'sleep 0.01; done; }';

/** Makes the home, `/tmp` and `/dev/shm` of a machine: one file system in memory, with a size. */
export function furnish({ homeBytes, filesMax }: BoxLimits): string {
  const options = `size=${homeBytes},nr_inodes=${filesMax},nosuid,nodev,mode=755`;
  const place = '/run/sluice';
  return [
    `mkdir -p ${place} ${homeDirectory}`,
    `mount -t tmpfs -o ${options} sluice ${place}`,
    `mkdir -m 700 ${place}/home`,
    `chown ${user}:${user} ${place}/home`,
    `mkdir -m 1777 ${place}/tmp ${place}/shm`,
    `mount --bind ${place}/home ${homeDirectory}`,
    `mount --bind ${place}/tmp /tmp`,
    `mount --bind ${place}/shm /dev/shm`,
  ].join(' && ');
}

/** Outputs go out as base64, since the SDK takes them for texts. It keeps all of them: the machine cuts them. */
const encode = `encode() { head -c ${drainedBytesMax + 1} | base64 -w 0; }`;

/**
 * Returns the script that reads the words of a command from its input, runs it on the rest as the user, and ends what
 * it leaves behind. It runs as root, so that a command cannot end it.
 */
function supervise(wordCount: number, inputBytes: number | undefined): string {
  const run = inputBytes === undefined ? 'run </dev/null' : `head -c ${inputBytes} | run`;
  return [
    sweep,
    encode,
    `mapfile -d '' -n ${wordCount} -t words && [ "\${#words[@]}" = ${wordCount} ] || exit`,
    'exec 3>&1 4>&2 2>/dev/null',
    // Pipes belong to root. Without this the user could not open `/dev/stdout`.
    'free() { chmod 666 /proc/self/fd/0 /proc/self/fd/1 /proc/self/fd/5; }',
    `run() { free; ${asUser} "\${words[@]}" 2>&5 3>&- 4>&- 5>&-; }`,
    `{ { ${run}; code=$?; sweep; exit $code; } | encode >&3 5>&-; exit "\${PIPESTATUS[0]}"; } 5>&1 |`,
    '  encode >&4',
    'exit "${PIPESTATUS[0]}"',
  ].join('\n');
}

/** Time that the SDK waits beyond the time-out of a command, which we keep ourselves. */
const slackMs = 60_000;
const partBytes = 262_144;

export interface Started {
  readonly handle: CommandHandle;
  /** Sends the words and the input of the command. */
  readonly feed: () => Promise<void>;
}

export interface Outputs {
  readonly stdout: (text: string) => void;
  readonly stderr: (text: string) => void;
}

/** Starts a command in a machine: it waits for its words. */
export async function startCommand(
  sandbox: Sandbox,
  { command, limits, outputs }: { command: Command; limits: BoxLimits; outputs: Outputs },
): Promise<Started> {
  const { argv, input, timeoutMs } = command;
  const settings = Object.entries(boxEnvironment()).map(([name, value]) => `${name}=${value}`);
  const words = ['env', '-i', ...settings, ...confined(limits, argv)];
  const handle = await sandbox.commands.run(supervise(words.length, input?.length), {
    background: true,
    stdin: true,
    user: 'root',
    cwd: homeDirectory,
    timeoutMs: timeoutMs + slackMs,
    onStdout: outputs.stdout,
    onStderr: outputs.stderr,
  });
  return {
    handle,
    feed: async () => {
      const bytes = Buffer.concat([
        Buffer.from(words.map((word) => `${word}\0`).join('')),
        input ?? Buffer.alloc(0),
      ]);
      for (let at = 0; at < bytes.length; at += partBytes)
        await handle.sendStdin(bytes.subarray(at, at + partBytes));
    },
  };
}

/** Ends all processes of commands in a machine. */
export async function sweepMachine(sandbox: Sandbox, timeoutMs: number): Promise<void> {
  await sandbox.commands.run(`${sweep}\nsweep`, { user: 'root', cwd: '/', timeoutMs });
}
