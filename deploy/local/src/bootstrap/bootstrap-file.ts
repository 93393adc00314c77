import { join } from 'node:path';
import { readPrivateFile, SetupProblem, writePrivateFile } from '@sluice/embedded';
import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';

const text = Type.String({ minLength: 1 });
const schema = Type.Object({
  base_url: text,
  management_key: text,
  api_key: text,
  organization_id: text,
  workspace_id: text,
  admin_user_id: text,
});

/** The content of `bootstrap.json`. */
export type Bootstrap = Static<typeof schema>;

const fileOf = (dataDirectory: string) => join(dataDirectory, 'bootstrap.json');

/** Undefined when there is none. Throws SetupProblem when it is not what was written. */
export async function readBootstrap(dataDirectory: string): Promise<Bootstrap | undefined> {
  const found = await readPrivateFile(fileOf(dataDirectory));
  if (found === undefined) return undefined;
  const parsed = parse(found);
  if (Value.Check(schema, parsed)) return parsed;
  throw new SetupProblem(
    `${fileOf(dataDirectory)} is damaged: move it away, and new keys are made for the same organization.`,
  );
}

/** Mode 0600. */
export async function writeBootstrap(dataDirectory: string, bootstrap: Bootstrap): Promise<void> {
  await writePrivateFile(fileOf(dataDirectory), `${JSON.stringify(bootstrap, null, 2)}\n`);
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
