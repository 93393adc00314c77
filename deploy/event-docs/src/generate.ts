import { apiCommands } from '@sluice/cli/api-commands';
import { apiDescription } from '@sluice/gateway/testing';
import { stringify } from 'yaml';
import { asyncApi } from './asyncapi/document.ts';
import type { JsonObject } from './asyncapi/json.ts';
import { readSources } from './documented.ts';
import { formatted } from './format.ts';
import { eventsPage } from './pages/events-page.ts';

export interface Generated {
  /** Relative to the root. */
  readonly path: string;
  readonly text: string;
}

/** The command that regenerates the files. */
export const command = 'make docs';

/** Returns the files as they have to be. Writes nothing. */
export async function generate(root: string): Promise<readonly Generated[]> {
  const documented = await readSources(root);
  const commands = apiCommands((await apiDescription()) as Parameters<typeof apiCommands>[0]);
  const pages = [
    { path: 'docs/events.md', source: eventsPage(documented, command) },
    {
      path: 'docs/asyncapi.yaml',
      source: `# Written by \`${command}\` from the sources.\n${yaml(asyncApi(documented))}`,
    },
    {
      path: 'deploy/cli/src/api-commands/api-commands.json',
      source: JSON.stringify(commands),
    },
  ];
  return await Promise.all(
    pages.map(async ({ path, source }) => ({ path, text: await formatted(root, path, source) })),
  );
}

/** Quoted so that a reader of YAML 1.1 finds no dates in it either. */
function yaml(document: JsonObject): string {
  return stringify(document, { compat: 'yaml-1.1', lineWidth: 100, aliasDuplicateObjects: false });
}
