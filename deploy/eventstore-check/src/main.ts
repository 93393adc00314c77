import { parseArgs } from 'node:util';
import { logVerbosity, setLogVerbosity } from '@grpc/grpc-js';
import { accessOf } from './access.ts';
import { compare } from './compare.ts';

const usage =
  'usage: npm run eventstore:check -- --url esdb://USER:PASSWORD@HOST:PORT?tls=… [--only WORD]';

// The check itself describes connection failures, in one sentence.
setLogVerbosity(logVerbosity.NONE);
try {
  const options = { url: { type: 'string' }, only: { type: 'string' } } as const;
  const { values } = parseArgs({ options });
  const url = values.url ?? process.env['ESDB_URL'];
  if (!url) throw new Error(`--url or ESDB_URL is required. ${usage}`);
  const { differing, report } = await compare(await accessOf(url), values.only);
  console.log(report);
  process.exit(differing === 0 ? 0 : 1);
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exit(2);
}
