import { join } from 'node:path';
import { type CommandedProcess, startCommanded } from '../commanded-process.ts';
import type { UpstreamFunctions } from './main.ts';

/** A model provider that costs next to nothing, in a process of its own. */
export type Upstream = CommandedProcess<UpstreamFunctions> & { readonly port: number };

export async function startUpstream(): Promise<Upstream> {
  const program = join(import.meta.dirname, 'main.ts');
  const functions = ['listen', 'behave', 'requests'] as const;
  const running = await startCommanded<UpstreamFunctions>('the upstream', program, functions);
  return { ...running, port: await running.listen() };
}
