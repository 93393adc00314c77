import { setupSql } from '@sluice/read-model';
import type { Output } from '../output.ts';
import type { Environment } from '../connections-file.ts';
import { checkDatabase } from './check-database.ts';
import { checkFileParser } from './check-file-parser.ts';
import { checkFiles } from './check-files.ts';
import { checkNats } from './check-nats.ts';
import { checkPepper } from './check-pepper.ts';
import { checkSameLog } from './check-same-log.ts';
import { checkSandbox } from './check-sandbox.ts';
import { checkStore } from './check-store.ts';
import { checkWebSearch } from './check-web-search.ts';
import type { DoctorCommand } from './command.ts';
import { type Finding, lineOf } from './finding.ts';
import { type DoctorSettings, findDoctorSettings, isUnknown } from './settings.ts';

const checks = [
  checkStore,
  checkDatabase,
  checkSameLog,
  checkPepper,
  checkNats,
  checkWebSearch,
  checkFileParser,
  checkSandbox,
  checkFiles,
];

/** Checks everything that an installation needs. Returns the exit code: 1 if something is wrong. */
export async function doctor(
  { json, sql }: DoctorCommand,
  { env, output }: { readonly env: Environment; readonly output: Output },
): Promise<number> {
  const settings = await findDoctorSettings(env);
  if (sql) return printSql(settings, output);
  const asked = checks.map((check) => check(settings));
  let wrong = 0;
  for (const findings of asked)
    for (const finding of await findings) {
      if (finding.state === 'wrong') wrong += 1;
      output.line(json ? JSON.stringify(finding) : lineOf(finding));
    }
  if (!json) output.line(summaryOf(wrong));
  return wrong === 0 ? 0 : 1;
}

/** Prints the SQL for the user and the database that the settings name. */
function printSql({ postgres }: DoctorSettings, output: Output): number {
  if (isUnknown(postgres)) {
    output.line(`-- ${postgres.unknown}.`);
    return 1;
  }
  const { username, pathname } = new URL(postgres.reveal());
  const user = decodeURIComponent(username);
  output.line(setupSql(user, decodeURIComponent(pathname.slice(1)) || user));
  return 0;
}

function summaryOf(wrong: number): string {
  return wrong === 0
    ? 'Nothing is wrong.'
    : `${wrong} ${wrong === 1 ? 'thing is' : 'things are'} wrong.`;
}

export type Check = (
  settings: Awaited<ReturnType<typeof findDoctorSettings>>,
) => Promise<readonly Finding[]>;
