import { join } from 'node:path';
import { startCommanded } from '../commanded-process.ts';
import type { Behaviour } from './upstream-server.ts';

export interface UpstreamCommand {
  readonly behaviour?: Behaviour;
}

export interface UpstreamAnswer {
  readonly port: number;
  readonly requests: number;
}

/** A model provider that costs next to nothing, in a process of its own. */
export interface Upstream {
  readonly pid: number;
  readonly port: number;
  behave(behaviour: Behaviour): Promise<void>;
  /** Returns the number of whole requests that the upstream has received so far. */
  requests(): Promise<number>;
  stop(): Promise<void>;
}

export async function startUpstream(): Promise<Upstream> {
  const program = join(import.meta.dirname, 'main.ts');
  const running = await startCommanded<UpstreamCommand, UpstreamAnswer>('the upstream', program);
  const { port } = await running.ask({});
  return {
    pid: running.pid,
    port,
    async behave(behaviour) {
      await running.ask({ behaviour });
    },
    requests: async () => (await running.ask({})).requests,
    stop: () => running.stop(),
  };
}
