import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Fault } from '@sluice/errors';
import { parsePriceAttoUsd } from '@sluice/inference';
import { AccountKind, type AccountServiceService } from '@sluice/protos/sluice/account/v1/account';
import type { CommandContext } from '@sluice/protos/sluice/context/v1/context';
import { KeyKind, type KeyServiceService } from '@sluice/protos/sluice/key/v1/key';
import type { LedgerServiceService } from '@sluice/protos/sluice/ledger/v1/ledger';
import type { WorkspaceServiceService } from '@sluice/protos/sluice/workspace/v1/workspace';
import type { Calls } from '@sluice/rpc';
import { type Bootstrap, readBootstrap, writeBootstrap } from './bootstrap-file.ts';
import { goingOn } from './going-on.ts';
import { type BootstrapPlan, keptPlan, plannedKey, savePlan } from './plan.ts';

export interface BootstrapOptions {
  readonly dataDirectory: string;
  /** Decimal USD, at most 9 places. */
  readonly creditsUsd: string;
  readonly accounts: Pick<Calls<AccountServiceService>, 'openAccount' | 'grantCredits'>;
  readonly workspaces: Pick<Calls<WorkspaceServiceService>, 'createWorkspace'>;
  readonly keys: Pick<Calls<KeyServiceService>, 'issueKey' | 'deleteKey'>;
  readonly ledger: Pick<Calls<LedgerServiceService>, 'getCredits'>;
  /** Called once for each reason for which the first start waits. */
  readonly onWaiting: (reason: string) => void;
}

/** The address of the first member. People who sign in later use their own. */
const adminEmail = 'admin@localhost';
const attoPerNano = 1_000_000_000n;
const slowCreditsMs = 10_000;
const pollMs = 25;

/**
 * The first organization with a workspace, credits and two keys. Made once: later starts return what
 * was made, and a start after a crash continues. While a part is away it waits and goes on by itself.
 * `baseUrl` is asked for when the keys are there.
 */
export async function bootstrap(
  options: BootstrapOptions,
  baseUrl: () => Promise<string>,
): Promise<Bootstrap> {
  const { dataDirectory } = options;
  const made = await readBootstrap(dataDirectory);
  const bootstrap = made ?? (await goingOn(() => makeOrganization(options), options.onWaiting));
  const current = { ...bootstrap, base_url: await baseUrl() };
  if (current.base_url !== made?.base_url) await writeBootstrap(dataDirectory, current);
  if (!made) await forgetSecrets(dataDirectory);
  return current;
}

async function makeOrganization(options: BootstrapOptions): Promise<Omit<Bootstrap, 'base_url'>> {
  const plan = await keptPlan(options.dataDirectory);
  const { organizationId, workspaceId, adminUserId } = plan;
  await options.accounts.openAccount({
    context: contextOf(plan, plan.openCommandId),
    kind: AccountKind.ACCOUNT_KIND_ORGANIZATION,
    name: 'Sluice',
    ownerUserId: adminUserId,
    ownerEmail: adminEmail,
    defaultWorkspaceId: workspaceId,
  });
  await options.workspaces.createWorkspace({
    context: contextOf(plan, plan.workspaceCommandId),
    workspaceId,
    name: 'Default',
    slug: 'default',
    isDefault: true,
    settings: undefined,
    createdBy: adminUserId,
  });
  await grantCredits(options, plan);
  return {
    management_key: await issueKey(options, 'managementKey'),
    api_key: await issueKey(options, 'apiKey'),
    organization_id: organizationId,
    workspace_id: workspaceId,
    admin_user_id: adminUserId,
  };
}

/** Waits until the ledger has counted them: the first request must not be refused for money. */
async function grantCredits(options: BootstrapOptions, plan: BootstrapPlan): Promise<void> {
  const amountNanoUsd = (parsePriceAttoUsd(options.creditsUsd) ?? 0n) / attoPerNano;
  if (amountNanoUsd === 0n) return;
  await options.accounts.grantCredits({
    context: contextOf(plan, plan.grantCommandId),
    grantId: plan.grantId,
    amountNanoUsd,
    reason: 'first start',
  });
  const slow = setTimeout(
    () => options.onWaiting('The ledger has not counted the first credits yet'),
    slowCreditsMs,
  );
  try {
    for (;;) {
      const credits = await options.ledger.getCredits({ accountId: plan.organizationId });
      if (credits.totalCreditsNanoUsd > 0n) return;
      await delay(pollMs);
    }
  } finally {
    clearTimeout(slow);
  }
}

type WhichKey = 'managementKey' | 'apiKey';

/** A key is shown once: its secret is in the plan before anything else happens. */
async function issueKey(options: BootstrapOptions, which: WhichKey): Promise<string> {
  const { dataDirectory } = options;
  const plan = await keptPlan(dataDirectory);
  const { commandId, secret: kept } = plan[which];
  if (kept !== undefined) return kept;
  try {
    const secret = await issueAs(options, plan, which);
    await savePlan(dataDirectory, { ...plan, [which]: { commandId, secret } });
    return secret;
  } catch (error) {
    const { hash } = error instanceof Fault && error.code === 'conflict' ? error.metadata : {};
    if (typeof hash !== 'string') throw error;
    // A crash came between the key and the note of its secret, which nobody knows: another key then.
    await deleteKey(options, plan, hash);
    await savePlan(dataDirectory, { ...plan, [which]: plannedKey() });
    return issueKey(options, which);
  }
}

/** Deletes a key, which an earlier attempt may have done whose answer was lost. */
async function deleteKey(
  { keys }: BootstrapOptions,
  plan: BootstrapPlan,
  hash: string,
): Promise<void> {
  try {
    await keys.deleteKey({ context: contextOf(plan, randomUUID()), hash });
  } catch (error) {
    if (!(error instanceof Fault && error.code === 'not_found')) throw error;
  }
}

async function issueAs(
  options: BootstrapOptions,
  plan: BootstrapPlan,
  which: WhichKey,
): Promise<string> {
  const { secret } = await options.keys.issueKey({
    context: contextOf(plan, plan[which].commandId),
    kind: which === 'apiKey' ? KeyKind.KEY_KIND_REGULAR : KeyKind.KEY_KIND_MANAGEMENT,
    name: which === 'apiKey' ? 'First key' : 'First management key',
    workspaceId: which === 'apiKey' ? plan.workspaceId : '',
    limitNanoUsd: undefined,
    includeByokInLimit: false,
    creatorUserId: plan.adminUserId,
  });
  return secret;
}

/** From now on bootstrap.json alone holds them; without it the next start issues new keys. */
async function forgetSecrets(dataDirectory: string): Promise<void> {
  const plan = await keptPlan(dataDirectory);
  await savePlan(dataDirectory, { ...plan, managementKey: plannedKey(), apiKey: plannedKey() });
}

function contextOf(plan: BootstrapPlan, commandId: string): CommandContext {
  return {
    commandId,
    requestId: `bootstrap-${commandId}`,
    accountId: plan.organizationId,
    actorType: 'system',
    actorId: 'bootstrap',
    traceparent: '',
  };
}
