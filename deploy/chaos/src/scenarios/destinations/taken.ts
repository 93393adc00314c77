import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Taken } from '../../audit/deliveries/taken.ts';

/** Names a generation. All names are equally long. */
export const nameOf = (number: number) => `gen-${String(number).padStart(8, '0')}`;

/** Returns the line of a generation in the file of a destination. All lines are equally long. */
export const lineOf = (id: string, hasContents: boolean) => `${id} ${hasContents ? '1' : '0'}\n`;

const lineLength = lineOf(nameOf(0), true).length;

/** Returns the number of generations that a destination got, each as often as it got it. */
export function countTaken(folder: string, destination: string): number {
  const file = statSync(join(folder, destination), { throwIfNoEntry: false });
  return Math.floor((file?.size ?? 0) / lineLength);
}

/** Returns the generations that a destination got, in their order. */
export function readTaken(folder: string, destination: string): readonly Taken[] {
  if (countTaken(folder, destination) === 0) return [];
  const lines = readFileSync(join(folder, destination), 'utf8').trimEnd().split('\n');
  return lines.map((line) => ({ id: line.slice(0, -2), hasContents: line.endsWith('1') }));
}
