import { ok } from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { encodePrincipal, internalHttp, type Principal } from '@sluice/inference-port';
import { eventually } from '@sluice/patience';

const routingMain = join(import.meta.dirname, '../../../../services/routing/src/main.ts');

export interface Replica {
  readonly url: string;
  /** Ends the process with SIGKILL. */
  kill(): Promise<void>;
}

export interface Answer {
  /** 0: the replica is gone. */
  readonly status: number;
  readonly body: string;
}

/** A routing process that serves. */
export async function startReplica(env: Record<string, string>): Promise<Replica> {
  const child: ChildProcess = spawn(process.execPath, [routingMain], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const kill = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
  };
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk) => {
      output += String(chunk);
    });
  try {
    const url = await eventually(() => {
      const found = /"address":"(http:[^"]+)"/.exec(output)?.[1];
      ok(found, output);
      return found;
    });
    return { url, kill };
  } catch (error) {
    await kill();
    throw error;
  }
}

/** A request for the simulator's model, as the gateway passes it on. */
export async function ask(
  { url }: Replica,
  { principal, token, body = {} }: AskOptions,
): Promise<Answer> {
  try {
    const reply = await fetch(url + `${internalHttp.answersPath}responses`, {
      method: 'POST',
      headers: {
        [internalHttp.tokenHeader]: token,
        [internalHttp.principalHeader]: encodePrincipal(principal),
        [internalHttp.requestIdHeader]: 'req-spec',
      },
      body: JSON.stringify({ model: 'sim/echo', input: '[sim:words-900]', ...body }),
    });
    return { status: reply.status, body: await reply.text() };
  } catch {
    return { status: 0, body: '' };
  }
}

export interface AskOptions {
  readonly principal: Principal;
  readonly token: string;
  readonly body?: object;
}
