import { Fault } from '@sluice/errors';
import { boxEnvironment, confined } from '../../engine/confine.ts';
import type { Command, Ran } from '../../engine/engine.ts';
import { type Execution, follow, sweepUntil, within } from '../../engine/follow.ts';
import type { BoxLimits } from '../../engine/limits.ts';
import { type Channels, exitCodeOf } from './channels.ts';
import type { HeldPod } from './pod-box.ts';

/** Ends all processes of the box but its first one and itself. */
const sweep =
  'sweep() { for round in {1..100}; do kill -9 -1 2>/dev/null; set -- /proc/[0-9]*; ' +
  '[ "$#" -le 2 ] && return; sleep 0.01; done; }';
/**
 * Reads the words of a command from its input, runs it on the rest, and ends what it leaves behind. Words of models are
 * no part of the address, which the API writes to its audit log.
 */
const supervise = [
  sweep,
  'mapfile -d "" -n "$1" -t words && [ "${#words[@]}" = "$1" ] || exit',
  // The shell's own words about a killed command are none of its output.
  'exec 3>&2 2>/dev/null',
  'run() { "${words[@]}" 2>&3 3>&-; }',
  'if [ "$2" = none ]; then run </dev/null; else head -c "$2" | run; fi',
  'code=$?',
  'sweep',
  'exit $code',
].join('\n');

const bash = ['/bin/bash', '--norc', '-c'] as const;
const sweepDeadlineMs = 10_000;
const killedStatus = 137;
/** The time that the end of a container takes, from the first of its processes to the last. */
const breakMs = 1_000;
/** From here on a code may mean that a signal ended the supervisor itself. */
const firstSignalStatus = 128;

export interface RunOptions {
  readonly pod: HeldPod;
  readonly limits: BoxLimits;
  /** The address of the egress proxy. Undefined: the box has no network. */
  readonly proxy: string | undefined;
}

/** Runs one command in a pod. Throws unavailable when the pod is gone. */
export async function runInPod(options: RunOptions, command: Command): Promise<Ran> {
  const { pod, limits, proxy } = options;
  const settings = Object.entries(boxEnvironment(proxy)).map(([name, value]) => `${name}=${value}`);
  const words = ['env', '-i', ...settings, ...confined(limits, command.argv)];
  const { input } = command;
  const asked = [
    ...bash,
    supervise,
    'sandbox',
    String(words.length),
    String(input?.length ?? 'none'),
  ];
  const channels = await pod.exec(asked).catch((error: unknown) => {
    throw new Fault('unavailable', { message: 'the container does not answer', cause: error });
  });
  return await follow(() => {
    channels.send(Buffer.from(words.map((word) => `${word}\0`).join('')));
    if (input) channels.send(input);
    return executionOf(pod, channels);
  }, command);
}

function executionOf(pod: HeldPod, channels: Channels): Execution {
  let isEnded = false;
  let isKilled = false;
  /** Resolves with the reason when the box had to be given up. */
  let killing: Promise<string | undefined> | undefined;
  const sweepAll = () => endAll(pod, channels);
  const lostBy = async (exitCode: number) => {
    const lost = await killing;
    // A container that is out of memory is ended process by process, and its first one may be the last.
    const mayEnd = lost === undefined && exitCode === killedStatus && !isKilled;
    return mayEnd && (await within(pod.broken, breakMs)) ? await pod.giveUp() : lost;
  };
  const ended = channels.ended.then(async (status) => {
    isEnded = true;
    const exitCode = status && exitCodeOf(status);
    const isDoubtful = exitCode !== undefined && exitCode >= firstSignalStatus;
    if (isDoubtful) killing ??= sweepAll();
    // It would end the next command, too.
    const lost = exitCode === undefined ? await pod.giveUp() : await lostBy(exitCode);
    channels.close();
    return { exitCode: exitCode ?? killedStatus, overLimit: lost };
  });
  ended.catch(() => undefined);
  return {
    stdout: channels.stdout,
    stderr: channels.stderr,
    ended,
    kill() {
      isKilled = true;
      if (!isEnded) killing ??= sweepAll();
    },
  };
}

/** Ends all processes of a box, or else the box: then it returns the reason. */
async function endAll(pod: HeldPod, channels: Channels): Promise<string | undefined> {
  const sweepOnce = async () => {
    const sweeping = await pod.exec([...bash, `${sweep}\nsweep`, 'sandbox']);
    sweeping.stdout.resume();
    sweeping.stderr.resume();
    const status = await sweeping.ended;
    sweeping.close();
    if (status === undefined) throw new Error('the pod ended meanwhile');
  };
  if (await sweepUntil(channels.ended, sweepOnce, sweepDeadlineMs)) return undefined;
  const reason = await pod.giveUp();
  channels.close();
  return reason;
}
