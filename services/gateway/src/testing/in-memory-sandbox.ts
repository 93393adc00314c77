import { Fault } from '@sluice/errors';
import type { SandboxCalls } from '../clients/calls.ts';

export const keptContainer = 'kept';

/** A sandbox with one warm container in a workspace, whose files are given by their paths. */
export function inMemorySandbox(
  workspaceId: string,
  files: ReadonlyMap<string, Buffer>,
): SandboxCalls {
  const changedAtMs = 1_795_167_000_000n;
  const requireWarm = (container: { workspaceId: string; containerId: string } | undefined) => {
    if (container?.workspaceId !== workspaceId || container.containerId !== keptContainer)
      throw new Fault('not_found');
  };
  return {
    async listFiles({ container }) {
      requireWarm(container);
      return {
        files: [...files].map(([path, content]) => ({
          path,
          bytes: BigInt(content.length),
          changedAtMs,
        })),
      };
    },
    async readFile({ container, path, offset, length }) {
      requireWarm(container);
      const content = files.get(path);
      if (!content) throw new Fault('not_found');
      const from = Number(offset);
      return {
        content: content.subarray(from, from + length),
        size: BigInt(content.length),
        changedAtMs,
      };
    },
  };
}
