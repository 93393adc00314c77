#!/usr/bin/env node
import { untilSignal } from '@sluice/boot';
import { type Command, parseCommandLine } from './command-line.ts';
import { explain } from './explain.ts';
import { createOutput } from './output.ts';
import { run } from './run.ts';
import { WrongUsage } from './wrong-usage.ts';

/** Looks after a Sluice from outside its processes; `sluice --help` says how. */
const exit = { error: 1, wrongUsage: 2, interrupted: 130 } as const;
const output = createOutput(process.stdout, process.stderr);
const interrupted = new AbortController();
void untilSignal().then(() => interrupted.abort());

// The reader of a pipe may close it early, as `head` does.
process.stdout.on('error', () => process.exit(exit.error));

const code = await exitCode(process.argv.slice(2));
await Promise.all([flushed(process.stdout), flushed(process.stderr)]);
// Idle connections of the event store's client would keep the process for a while.
process.exit(code);

/** Resolves when the stream has taken everything: an exit drops what a slow pipe has not read yet. */
async function flushed(stream: NodeJS.WriteStream): Promise<void> {
  await new Promise<void>((resolve) => void stream.write('', () => resolve()));
}

async function exitCode(words: readonly string[]): Promise<number> {
  let command: Command;
  try {
    command = parseCommandLine(words);
  } catch (error) {
    if (!(error instanceof WrongUsage)) throw error;
    output.problem(
      `${error.message}\nsluice --help lists the commands, and each of them takes --help.`,
    );
    return exit.wrongUsage;
  }
  if (command.name === 'help') {
    output.line(command.text);
    return 0;
  }
  try {
    return await run(command, { env: process.env, output, signal: interrupted.signal });
  } catch (error) {
    if (interrupted.signal.aborted) {
      const unchanged = command.name === 'projections' ? ': the live read model is as it was' : '';
      output.problem(`Interrupted${unchanged}.`);
      return exit.interrupted;
    }
    output.problem(explain(error));
    return exit.error;
  }
}
