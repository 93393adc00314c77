import type { Box, Command } from './engine.ts';
import type { BoxLimits } from './limits.ts';

const timeoutMs = 30_000;

/** Runs a script of a probe. */
export const tryScript = (
  box: Box,
  script: string,
  rest: Partial<Command> & { args?: readonly string[] } = {},
) =>
  box.run({
    argv: ['/bin/bash', '-c', script, 'probe', ...(rest.args ?? [])],
    timeoutMs: rest.timeoutMs ?? timeoutMs,
    outputBytesMax: 10_000,
  });

/** Tries each limit of a box. Returns the reason when one does not hold. */
export async function problemOfLimits(box: Box, limits: BoxLimits): Promise<string | undefined> {
  return (
    (await problemOfProcesses(box, limits)) ??
    (await problemOfProcessors(box, limits)) ??
    (await problemOfHome(box, limits)) ??
    // The last one: it may end the box.
    (await problemOfMemory(box, limits))
  );
}

const forkTimeoutMs = 2_000;
const unbounded = 'unbounded';

export async function problemOfProcesses(box: Box, { processesMax }: BoxLimits) {
  const script = `for (( i = 0; i < ${processesMax + 8}; i++ )); do sleep 60 & done; echo ${unbounded}`;
  // A shell that may not start a process waits and tries again. It says so at once.
  for (const limitMs of [forkTimeoutMs, forkTimeoutMs * 10]) {
    const ran = await tryScript(box, script, { timeoutMs: limitMs });
    if (ran.stdout.includes(unbounded)) break;
    if (/fork|unavailable/.test(ran.stderr.toString())) return undefined;
  }
  return `a container started more than ${processesMax} processes`;
}

const busySeconds = 2;
/** The kernel bounds processors by periods of 0.1 s. */
const slackSeconds = 0.6;

async function problemOfProcessors(box: Box, { cpus }: BoxLimits) {
  const loops = Math.min(Math.ceil(cpus) + 1, 16);
  const busy = `timeout ${busySeconds} bash -c 'while :; do :; done' &`;
  const script = `TIMEFORMAT='%U %S'; time { for (( i = 0; i < ${loops}; i++ )); do ${busy} done; wait; }`;
  const ran = await tryScript(box, script);
  const used = (ran.stderr.toString().trim().split('\n').at(-1) ?? '').split(' ').map(Number);
  const seconds = used.reduce((sum, part) => sum + part, 0);
  const allowed = cpus * busySeconds + slackSeconds;
  if (loops <= cpus || seconds <= allowed) return undefined;
  return `a container used ${seconds} s of processors in ${busySeconds} s, with a limit of ${cpus}`;
}

export async function problemOfHome(box: Box, { homeBytes }: BoxLimits) {
  // Each file is below the limit of one file: together they are more than the home takes.
  const part = Math.ceil(homeBytes * 0.6);
  const write = (name: string) => `head -c ${part} /dev/zero > ~/${name}`;
  const ran = await tryScript(box, `${write('one')} && ${write('two')} && echo ${unbounded}`);
  if (!ran.stdout.includes(unbounded)) return undefined;
  return `a container wrote more than ${homeBytes} bytes to its home`;
}

async function problemOfMemory(box: Box, { memoryBytes, homeBytes }: BoxLimits) {
  // The home is full by now. Each process is below the limit of one process, and keeps its memory for a while.
  const part = Math.ceil(memoryBytes * 0.6);
  const grow = `{ head -c ${part} /dev/zero; sleep 8; } | tail >/dev/null`;
  const script = [
    `set -o pipefail; for i in 1 2 3 4; do ( ${grow} ) & done`,
    `for i in 1 2 3 4; do wait -n || exit 1; done; echo ${unbounded}`,
  ].join('; ');
  const ran = await tryScript(box, script);
  if (!ran.stdout.includes(unbounded)) return undefined;
  return `a container used more than ${memoryBytes + homeBytes} bytes of memory`;
}
