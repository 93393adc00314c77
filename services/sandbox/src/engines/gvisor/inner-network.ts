import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { promisify } from 'node:util';
import { bareEnvironment } from '../../host/bare-environment.ts';

/** Two networks with one cable between them: the box gets one end, the egress proxy listens on the other. */
export interface InnerNetworks {
  /** The path of the network namespace of the box. */
  readonly boxPath: string;
  readonly proxyPid: number;
  end(): Promise<void>;
}

/** The address of the proxy, and of the box, on their cable. No other machine is in that network. */
export const proxyHost = '10.83.0.1';
const boxHost = '10.83.0.2';

const run = promisify(execFile);

/** Makes the networks. They end with this process, because their holders end with their input. */
export async function makeNetworks(): Promise<InnerNetworks> {
  const holders: ChildProcess[] = [];
  const end = async () => {
    await Promise.all(
      holders.map(async (holder) => {
        const ended = holder.exitCode === null ? once(holder, 'exit') : undefined;
        holder.kill('SIGKILL');
        await ended;
      }),
    );
  };
  try {
    const [box, proxy] = [await startHolder(holders), await startHolder(holders)];
    const inside = (pid: number, ...args: string[]) =>
      run('nsenter', ['--net', '--target', String(pid), 'ip', ...args], { env: bareEnvironment });
    const cable = ['type', 'veth', 'peer', 'name', 'box0', 'netns', String(box)];
    await inside(proxy, 'link', 'add', 'proxy0', ...cable);
    await inside(proxy, 'address', 'add', `${proxyHost}/30`, 'dev', 'proxy0');
    await inside(proxy, 'link', 'set', 'proxy0', 'up');
    await inside(box, 'address', 'add', `${boxHost}/30`, 'dev', 'box0');
    await inside(box, 'link', 'set', 'box0', 'up');
    await inside(box, 'link', 'set', 'lo', 'up');
    return { boxPath: `/proc/${box}/ns/net`, proxyPid: proxy, end };
  } catch (error) {
    await end();
    throw error;
  }
}

async function startHolder(holders: ChildProcess[]): Promise<number> {
  const holder = spawn('unshare', ['--net', 'sh', '-c', 'echo ready && exec cat'], {
    cwd: '/',
    env: bareEnvironment,
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  holders.push(holder);
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  holder.stdout.once('data', () => resolve(holder.pid as number));
  holder.once('error', reject);
  holder.once('exit', (code) => reject(new Error(`no network could be made (${code})`)));
  return await promise;
}
