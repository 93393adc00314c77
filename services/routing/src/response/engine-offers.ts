import type { Secret } from '@sluice/boot';
import type { JsonObject } from '@sluice/client-schemas';
import type { Principal } from '@sluice/inference-port';
import type { Credential } from '../credentials/credential.ts';
import { currentSecret } from '../credentials/current-secret.ts';
import { isFor } from '../credentials/is-for.ts';
import { errorResult, type ServerTool, type ToolOffer, type ToolResult } from '../tools/tool.ts';
import type { TurnDeps } from '../turn/deps.ts';
import type { Turn } from '../turn/turn.ts';

interface OfferedCall {
  readonly tool: ServerTool;
  readonly settings: JsonObject;
  readonly args: JsonObject;
  readonly turn: Turn;
  /** The model that called. */
  readonly model: string;
}

/** Returns the engines that may run a call, in the order in which they are tried. */
export async function offersOf(
  { credentials }: Pick<TurnDeps, 'credentials'>,
  { tool, settings, args, turn: { call }, model }: OfferedCall,
): Promise<readonly ToolOffer[]> {
  if (tool.offers) {
    const own = await ownCredentialsOf({ credentials }, call.principal, model);
    const offers = tool.offers(settings, own);
    return offers.length > 0 ? offers : [{ engine: '', worstNanoUsd: 0n }];
  }
  const worstNanoUsd = tool.worstCost?.(settings, args) ?? 0n;
  return [{ engine: tool.engine?.(settings) ?? '', worstNanoUsd }];
}

/** Returns the credentials of an account that the caller may use for calls of a model, in their order. */
export async function ownCredentialsOf(
  { credentials }: Pick<TurnDeps, 'credentials'>,
  principal: Principal,
  model: string,
): Promise<readonly Credential[]> {
  return (await credentials.find(principal))
    .filter((credential) => isFor(credential, principal) && covers(credential, model))
    .toSorted((one, other) => one.sortOrder - other.sortOrder);
}

/** A credential may be for some models alone: for calls of these. */
function covers({ models }: Credential, model: string): boolean {
  const [withoutVariant = ''] = model.split(':');
  return !models || models.has(model) || models.has(withoutVariant);
}

/** Opens the own key of an engine. */
export async function ownKeyOf(
  { credentials }: Pick<TurnDeps, 'credentials'>,
  { call: { principal } }: Pick<Turn, 'call'>,
  credential: Credential | undefined,
): Promise<Secret | undefined | 'unavailable'> {
  if (!credential) return undefined;
  try {
    return await currentSecret(credentials, principal, credential);
  } catch {
    return 'unavailable';
  }
}

export const unavailableKey: ToolResult = {
  ...errorResult("the account's own key of the engine cannot be opened"),
  isEngineAtFault: true,
  charge: { costNanoUsd: 0n },
};
