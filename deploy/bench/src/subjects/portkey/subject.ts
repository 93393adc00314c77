import { join } from 'node:path';
import { freePort, startServerProcess } from '@sluice/embedded';
import type { Upstream } from '../../harness/upstream/upstream.ts';
import { responsesDoor } from '../door.ts';
import type { Subject } from '../subject.ts';
import { installPortkey } from './install.ts';

/** Portkey's gateway as its README starts it: it forwards, without keys, limits or books of its own. */
export async function startPortkeySubject(
  upstream: Upstream,
  onProgress: (line: string) => void,
): Promise<Subject> {
  const program = await installPortkey(onProgress);
  const port = await freePort();
  const onLoopback = join(import.meta.dirname, 'on-loopback.ts');
  const server = await startServerProcess({
    name: 'Portkey',
    command: process.execPath,
    args: ['--import', onLoopback, program, `--port=${port}`, '--headless'],
    stopSignal: 'SIGTERM',
    env: { NODE_ENV: 'production', TRUSTED_CUSTOM_HOSTS: '127.0.0.1,localhost' },
    readyPattern: /Ready for connections/,
    onLog: () => undefined,
  });
  return {
    name: 'portkey',
    port,
    path: '/v1/responses',
    door: responsesDoor,
    model: 'echo',
    headers: {
      authorization: 'Bearer bench',
      'x-portkey-provider': 'openai',
      'x-portkey-custom-host': `http://127.0.0.1:${upstream.port}/v1`,
    },
    pids: async () => ({ measured: [server.pid], others: [] }),
    stop: () => server.stop(),
  };
}
