import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { readPrivateFile, writePrivateFile } from '@sluice/embedded';

/**
 * The commands of the first start, decided before it does anything: each command has its id from here, so
 * that a start after a crash repeats the same commands instead of making a second organization.
 */
export interface BootstrapPlan {
  readonly organizationId: string;
  readonly workspaceId: string;
  readonly adminUserId: string;
  readonly grantId: string;
  readonly openCommandId: string;
  readonly workspaceCommandId: string;
  readonly grantCommandId: string;
  readonly managementKey: PlannedKey;
  readonly apiKey: PlannedKey;
}

export interface PlannedKey {
  readonly commandId: string;
  /** Kept from when the key is issued until bootstrap.json holds it. */
  readonly secret?: string;
}

const fileOf = (dataDirectory: string) => join(dataDirectory, 'bootstrap.plan.json');

export async function keptPlan(dataDirectory: string): Promise<BootstrapPlan> {
  const text = await readPrivateFile(fileOf(dataDirectory));
  if (text !== undefined) return JSON.parse(text) as BootstrapPlan;
  const plan: BootstrapPlan = {
    organizationId: `org_${randomUUID()}`,
    workspaceId: randomUUID(),
    adminUserId: `user_${randomUUID()}`,
    grantId: randomUUID(),
    openCommandId: randomUUID(),
    workspaceCommandId: randomUUID(),
    grantCommandId: randomUUID(),
    managementKey: plannedKey(),
    apiKey: plannedKey(),
  };
  await savePlan(dataDirectory, plan);
  return plan;
}

export async function savePlan(dataDirectory: string, plan: BootstrapPlan): Promise<void> {
  await writePrivateFile(fileOf(dataDirectory), `${JSON.stringify(plan, null, 2)}\n`);
}

/** A key that is still to be issued. */
export function plannedKey(): PlannedKey {
  return { commandId: randomUUID() };
}
