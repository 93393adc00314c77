import { readFileSync } from 'node:fs';
import type { ApiCommand } from './api-command.ts';

/**
 * The commands for the API that this version was built with. `make docs` writes them from the API's description, so
 * help needs no Sluice that runs.
 */
export const knownApiCommands = JSON.parse(
  readFileSync(new URL('api-commands.json', import.meta.url), 'utf8'),
) as readonly ApiCommand[];
