import type * as E2b from 'e2b';
import { Fault } from '@sluice/errors';
import type { Box, BoxOptions, Command, Engine, FoundEngine, Ran } from '../../engine/engine.ts';
import { engineOfBoxes } from '../../engine/engine-of-boxes.ts';
import { problemOf } from '../../engine/first-command.ts';
import { type Execution, follow, sweepUntil } from '../../engine/follow.ts';
import type { BoxLimits } from '../../engine/limits.ts';
import { problemOfHome, problemOfProcesses, tryScript } from '../../engine/limit-probes.ts';
import { decoded } from './decoded.ts';
import { furnish, startCommand, sweepMachine } from './machine.ts';
import { networkOf } from './network.ts';
import { problemOfTemplate } from './template.ts';

export interface E2bOptions {
  readonly apiKey: string | undefined;
  /** Addresses of a server of one's own. Those of E2B if absent. */
  readonly apiUrl: string | undefined;
  readonly sandboxUrl: string | undefined;
  readonly domain: string | undefined;
  readonly template: string;
  readonly limits: BoxLimits;
}

interface Shared extends E2bOptions {
  readonly sdk: typeof E2b;
}

/** Returns the engine if a first command works at E2B, otherwise the reason why not. */
export async function findE2b(options: E2bOptions): Promise<FoundEngine> {
  if (!options.apiKey) return { missing: 'E2B_API_KEY is not set' };
  // Other engines do without it.
  const sdk = await import('e2b');
  const engine = engineOf({ ...options, sdk });
  const problem = await problemOf(engine, async (box) => {
    const { limits } = options;
    return (
      (await problemOfNetwork(box)) ??
      (await problemOfProcesses(box, limits)) ??
      (await problemOfHome(box, limits))
    );
  });
  if (problem === undefined) return engine;
  await engine.stop();
  return { missing: `E2B does not work here: ${problem}` };
}

/** Asks for an answer: the firewall there takes each connection first, and drops it then. */
const askScript = [
  `ask() { exec 3<>"/dev/tcp/$1/80" && printf 'HEAD / HTTP/1.0\\r\\n\\r\\n' >&3 && head -c 1 <&3; }`,
  'export -f ask',
  'for one in 1.1.1.1 169.254.169.254; do',
  '  [ -n "$(timeout 5 bash -c \'ask "$0"\' "$one" 2>/dev/null)" ] && echo "$one"',
  'done; true',
].join('\n');

async function problemOfNetwork(box: Box): Promise<string | undefined> {
  const reached = (await tryScript(box, askScript)).stdout.toString().split('\n').filter(Boolean);
  if (reached.length === 0) return undefined;
  return `a container without a network reached ${reached.join(' and ')}`;
}

function engineOf(shared: Shared): Engine {
  const { template, domain, apiUrl } = shared;
  const place = domain ?? apiUrl ?? 'e2b.app';
  const description = `e2b: virtual machines of the template ${template} at ${place}`;
  return engineOfBoxes({ name: 'e2b', description }, (options) => openBox(shared, options));
}

/** A machine that its owner does not renew for so long ends by itself. */
const lifetimeMs = 180_000;
const renewalMs = lifetimeMs / 3;
const requestTimeoutMs = 60_000;

async function openBox(shared: Shared, options: BoxOptions): Promise<Box> {
  const { sdk, template, limits } = shared;
  const sandbox = await sdk.Sandbox.create(template, {
    ...networkOf(options.network),
    ...accessOf(shared),
    timeoutMs: lifetimeMs,
    metadata: { service: 'sluice-sandbox' },
  });
  try {
    const problem = problemOfTemplate(await sandbox.getInfo(), limits);
    if (problem !== undefined) throw new Error(problem);
    await sandbox.commands.run(furnish(limits), { user: 'root', cwd: '/' });
  } catch (error) {
    await sandbox.kill().catch(() => undefined);
    throw error;
  }
  const machine = heldMachine(shared, sandbox);
  return {
    run: (command) => runIn({ ...shared, ...machine, sandbox }, command),
    close: () => machine.end('the container was closed'),
    lost: machine.ended,
  };
}

function accessOf({ apiKey, apiUrl, sandboxUrl, domain }: E2bOptions) {
  return {
    ...(apiKey !== undefined && { apiKey }),
    ...(apiUrl !== undefined && { apiUrl }),
    ...(sandboxUrl !== undefined && { sandboxUrl }),
    ...(domain !== undefined && { domain }),
    requestTimeoutMs,
  };
}

/** Renews the lifetime of a machine until it ends. */
function heldMachine({ sdk }: Shared, sandbox: E2b.Sandbox) {
  const { promise: ended, resolve } = Promise.withResolvers<string>();
  let isEnded = false;
  const end = async (reason: string) => {
    if (isEnded) return;
    isEnded = true;
    clearInterval(renewal);
    resolve(reason);
    await sandbox.kill().catch(() => undefined);
  };
  const renewal = setInterval(() => {
    sandbox.setTimeout(lifetimeMs).catch(async (error: unknown) => {
      if (error instanceof sdk.NotFoundError) await end('the machine is gone, with its files');
    });
  }, renewalMs);
  renewal.unref();
  return { ended, end, isEnded: () => isEnded };
}

interface Running extends Shared {
  readonly sandbox: E2b.Sandbox;
  readonly end: (reason: string) => Promise<void>;
  readonly isEnded: () => boolean;
}

const lostReason = 'the connection to the machine broke, and its files are lost';
const sweepDeadlineMs = 10_000;
const killedStatus = 137;

async function runIn(running: Running, command: Command): Promise<Ran> {
  const { sandbox, limits } = running;
  if (running.isEnded()) throw new Fault('unavailable', { message: 'the container has ended' });
  const [stdout, stderr] = [decoded(), decoded()];
  const outputs = {
    stdout: (text: string) => stdout.add(text),
    stderr: (text: string) => stderr.add(text),
  };
  const { handle, feed } = await startCommand(sandbox, { command, limits, outputs }).catch(
    async (error: unknown) => {
      await running.end(lostReason);
      throw new Fault('unavailable', { message: 'the container does not answer', cause: error });
    },
  );
  return await follow((): Execution => {
    let isEnded = false;
    let killing: Promise<void> | undefined;
    const code = exitCodeOf(running, handle);
    // The end of its words ends the command, too.
    feed().catch(() => handle.kill().catch(() => undefined));
    const ended = code.then(async (exitCode) => {
      isEnded = true;
      // It would end the next command, too.
      await killing;
      stdout.stream.end();
      stderr.stream.end();
      if (exitCode !== undefined) return { exitCode };
      await running.end(lostReason);
      return { exitCode: killedStatus, overLimit: lostReason };
    });
    return {
      stdout: stdout.stream,
      stderr: stderr.stream,
      ended,
      kill() {
        if (!isEnded) killing ??= endAll(running, handle, code);
      },
    };
  }, command);
}

/** Resolves with the exit code; undefined when the connection broke before. */
async function exitCodeOf({ sdk }: Shared, handle: E2b.CommandHandle): Promise<number | undefined> {
  try {
    return (await handle.wait()).exitCode;
  } catch (error) {
    return error instanceof sdk.CommandExitError ? error.exitCode : undefined;
  }
}

/** Ends all processes of commands, or else the machine. */
async function endAll(
  running: Running,
  handle: E2b.CommandHandle,
  code: Promise<unknown>,
): Promise<void> {
  const sweepOnce = () => sweepMachine(running.sandbox, sweepDeadlineMs);
  if (await sweepUntil(code, sweepOnce, sweepDeadlineMs)) return;
  await running.end(lostReason);
  await handle.disconnect();
}
