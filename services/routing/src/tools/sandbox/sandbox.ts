import type { SandboxServiceService } from '@sluice/protos/sluice/sandbox/v1/sandbox';
import type { CancelableCalls } from '@sluice/rpc';

/** The calls of the sandbox service that tools make. */
export type Sandbox = Pick<
  CancelableCalls<typeof SandboxServiceService>,
  'checkContainer' | 'openContainer' | 'runCommand' | 'listFiles' | 'writeFile'
>;
