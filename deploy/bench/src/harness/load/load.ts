import { join } from 'node:path';
import { type CommandedProcess, startCommanded } from '../commanded-process.ts';
import type { LoadFunctions } from './main.ts';

/** A process that sends requests and checks each answer. */
export type Load = CommandedProcess<LoadFunctions>;

export function startLoad(): Promise<Load> {
  const program = join(import.meta.dirname, 'main.ts');
  return startCommanded('the load', program, ['closedLoop', 'openLoop', 'readSlowly']);
}
