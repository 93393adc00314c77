import type { Catalog } from '@sluice/catalog';
import type { FileCalls } from '@sluice/workspace-files';
import type { Sandbox } from './sandbox.ts';

export interface SandboxToolOptions {
  /** Undefined where no sandbox is configured. */
  readonly sandbox?: Sandbox | undefined;
  /** The files of workspaces, which `file_ids` name. Undefined: there are none. */
  readonly files?: FileCalls | undefined;
  readonly catalog: Pick<Catalog, 'toolPrices'>;
}

/** Seconds that one call of a tool may take with all its commands. */
export const sandboxToolSeconds = 600;
