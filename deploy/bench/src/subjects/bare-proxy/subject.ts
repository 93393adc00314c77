import { join } from 'node:path';
import { startCommanded } from '../../harness/commanded-process.ts';
import type { Upstream } from '../../harness/upstream/upstream.ts';
import { responsesDoor } from '../door.ts';
import type { Subject } from '../subject.ts';
import type { BareProxyFunctions } from './main.ts';

/** A proxy of fastify and undici that does nothing else: the yardstick. */
export async function startBareSubject(upstream: Upstream): Promise<Subject> {
  const program = join(import.meta.dirname, 'main.ts');
  const running = await startCommanded<BareProxyFunctions>('the bare proxy', program, ['start']);
  const port = await running.start(`http://127.0.0.1:${upstream.port}`);
  return {
    name: 'bare',
    port,
    path: '/v1/responses',
    door: responsesDoor,
    model: 'echo',
    headers: {},
    pids: async () => ({ measured: [running.pid], others: [] }),
    stop: () => running.stop(),
  };
}
