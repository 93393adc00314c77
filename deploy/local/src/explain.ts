import { inspect } from 'node:util';
import { SetupProblem } from '@sluice/embedded';
import { Fault } from '@sluice/errors';
import { DamagedLog, DirectoryInUse, LostEvents } from '@sluice/eventstore-server';
import { InvalidConfig } from '@sluice/boot';

/** One sentence for whoever typed the command: what keeps Sluice from starting, without a stack. */
export function explain(error: unknown): string {
  const known = [SetupProblem, InvalidConfig, DirectoryInUse, DamagedLog, LostEvents].some(
    (type) => error instanceof type,
  );
  const text = reasons(error).join(': ');
  return oneLine(known ? (error as Error).message : `Sluice could not start: ${text}`);
}

const causesMax = 3;

function reasons(error: unknown): readonly string[] {
  const found: string[] = [];
  for (let cause = error; cause !== undefined && found.length < causesMax;) {
    const { message, code } = cause as { message?: string; code?: string };
    const said = cause instanceof Fault ? `${message} (${code})` : (message ?? inspect(cause));
    if (said !== '') found.push(said);
    cause = (cause as { cause?: unknown }).cause;
  }
  return found;
}

function oneLine(text: string): string {
  return text.replaceAll(/\s*\n\s*/g, ' ').trim();
}
