import { analyticsProgram } from '@sluice/analytics/program';
import { runServices, type ServiceProgram } from '@sluice/boot/run-service';
import { usageBundleFactsMax } from '@sluice/bus';
import { bundleReader, readForTwo } from '@sluice/usage-facts';
import { noteUsesProgram } from '@sluice/key/note-uses-program';
import { ledgerProgram } from '@sluice/ledger/program';
import { observerProgram } from '@sluice/observer/program';
import { addressSetting, type BookService } from './services.ts';

/** The ledger and analytics count the same messages. */
const readBundle = readForTwo(bundleReader(usageBundleFactsMax));

/** Counts and keeps facts about requests in a process beside that of the requests. */
const programs: Readonly<Record<BookService, ServiceProgram>> = {
  ledger: ledgerProgram(readBundle),
  analytics: analyticsProgram(readBundle),
  observer: observerProgram,
};
const part = (name: BookService) => ({
  program: programs[name],
  env: { ...process.env, SLUICE_RPC_ADDRESS: process.env[addressSetting(name)] },
});

await runServices('books', [
  part('ledger'),
  part('analytics'),
  part('observer'),
  { program: noteUsesProgram, env: process.env },
]);
// A start that failed may still wait for something.
process.exit();
