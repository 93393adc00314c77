import type { Decider } from '@sluice/es';
import type { ScimDirectoryCommand } from './commands.ts';
import type { ScimDirectoryEvent } from './events.ts';
import { mapping, type ScimRejection } from './mappings.ts';
import { pull } from './pull.ts';
import { evolve, initial, type ScimDirectory } from './state.ts';

function decide(
  command: ScimDirectoryCommand,
  directory: ScimDirectory,
): readonly ScimDirectoryEvent[] | ScimRejection {
  switch (command.type) {
    case 'ApplyUsers':
    case 'RetireUsers':
    case 'ApplyGroups':
    case 'DeleteMissingGroups':
      return pull(command, directory);
    case 'CreateMapping':
    case 'ChangeMappingRole':
    case 'DeleteMapping':
    case 'RemoveWorkspaceMappings':
      return mapping(command, directory);
  }
}

export const scimDirectory: Decider<
  ScimDirectoryCommand,
  ScimDirectory,
  ScimDirectoryEvent,
  ScimRejection
> = { category: 'scimDirectory', initial, evolve, decide };
