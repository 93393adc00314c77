import { SandboxServiceService } from '@sluice/protos/sluice/sandbox/v1/sandbox';
import { rpcClient } from '@sluice/rpc';
import { type Finding, fine, wrong } from './finding.ts';
import type { DoctorSettings } from './settings.ts';

const check = 'sandbox';
const deadlineMs = 5_000;

/** Names the engine that runs commands of models, or says why there is none. Without one nothing is wrong. */
export async function checkSandbox({ sandbox }: DoctorSettings): Promise<readonly Finding[]> {
  const without = 'commands of models are answered with `sandbox unavailable`';
  if (!sandbox) return [fine(check, `SLUICE_SANDBOX_ADDRESS is not set, so that ${without}`)];
  const client = rpcClient(SandboxServiceService, { ...sandbox, deadlineMs });
  try {
    const { engine, description } = await client.describeEngine({});
    return [fine(check, engine === '' ? `No engine: ${description}; ${without}` : description)];
  } catch {
    return [
      wrong(
        check,
        `The service does not answer at ${sandbox.address}`,
        'start it, or see that SLUICE_SANDBOX_ADDRESS and SLUICE_RPC_TOKEN are those of the service',
      ),
    ];
  } finally {
    client.close();
  }
}
