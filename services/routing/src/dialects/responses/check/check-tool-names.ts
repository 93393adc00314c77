import { addressKey, addressOf, type ToolAddress } from '@sluice/inference';
import { flatToolName } from '@sluice/providers';
import type { Issues } from '../../body/issues.ts';
import type { ParsedTool } from '../read/read-tools.ts';

/** Refuses two tools that a provider without namespaces would get under one name. */
export function checkToolNames(parsed: readonly ParsedTool[], issues: Issues): void {
  if (parsed.length === 0) return;
  const known = new Map<string, ToolAddress>();
  for (const { path, tool } of parsed.flatMap(({ tools }) => tools)) {
    if (tool.type === 'native') continue;
    const address = addressOf(tool);
    const flat = flatToolName(address);
    const other = known.get(flat);
    if (!other) known.set(flat, address);
    // Two tools with one address are reported as a repeated name.
    else if (addressKey(other) !== addressKey(address))
      issues.add(
        `${path}.name`,
        `${shown(address)} and ${shown(other)} are both ${flat} for providers without namespaces`,
      );
  }
}

function shown({ namespace, name }: ToolAddress): string {
  return namespace === undefined ? `the tool ${name}` : `${name} of the namespace ${namespace}`;
}
