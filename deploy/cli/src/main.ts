#!/usr/bin/env node
import { untilSignal } from '@sluice/boot';
import { createOutput } from './output.ts';
import { exit, perform } from './perform.ts';

/** Looks after a Sluice from outside its processes; `sluice --help` says how. */
const output = createOutput(process.stdout, process.stderr);
const interrupted = new AbortController();
void untilSignal().then(() => interrupted.abort());

// The reader of a pipe may close it early, as `head` does.
process.stdout.on('error', () => process.exit(exit.error));

const { signal } = interrupted;
const code = await perform(process.argv.slice(2), { env: process.env, output, signal });
await Promise.all([flushed(process.stdout), flushed(process.stderr)]);
// Idle connections of the event store's client would keep the process for a while.
process.exit(code);

/** Resolves when the stream has taken everything: an exit drops what a slow pipe has not read yet. */
async function flushed(stream: NodeJS.WriteStream): Promise<void> {
  await new Promise<void>((resolve) => void stream.write('', () => resolve()));
}
