import type { Catalog } from '@sluice/catalog';
import { catalog, isRejection, type Rejection } from '@sluice/errors';
import type { InferenceCall, Principal } from '@sluice/inference-port';
import type { Credential } from '../../credentials/credential.ts';
import { type ParsedCall, type ScannedBody, wantedPreset } from '../../dialects/dialect.ts';
import { settingsOf } from '../../request/plugins.ts';
import type { Policy, RequestDefaults } from '../../policy/policy.ts';
import { expandAliases } from '../../selection/expand-aliases.ts';
import type { StageContext } from '../../stages/stage.ts';
import type { Pipeline } from '../deps.ts';
import type { InnerPlace } from '../inner/asking.ts';
import { StageCalls } from '../stage-calls.ts';

/** A request that is valid, with the settings of its caller. */
export interface ReadCall {
  readonly pipeline: Pipeline;
  /** The catalog with the private endpoints of the caller. */
  readonly catalog: Catalog;
  readonly call: InferenceCall;
  readonly policy: Policy;
  /** The part of these that stages see. */
  readonly context: StageContext;
  /** The name of the response, and the paid work of its stages. */
  readonly work: StageCalls;
  readonly credentials: readonly Credential[];
  readonly parsed: ParsedCall;
}

/** Finds the settings of the caller and parses the body with them. `inner` is the place of a question of a tool. */
export async function readCall(
  pipeline: Pipeline,
  call: InferenceCall,
  inner?: InnerPlace,
): Promise<ReadCall | Rejection> {
  const { principal, requestId, signal } = call;
  const dialect = pipeline.dialects[call.dialect];
  const body = await dialect.scan(call.body);
  const [policy, credentials] = await Promise.all([
    pipeline.policies.find(principal),
    pipeline.credentials.find(principal),
  ]);
  if (!policy.isWorkspaceAlive) return workspaceUnavailable;
  const ownCatalog = await catalogFor(pipeline, principal, credentials);
  const defaults = defaultsOf(policy, call);
  const given = inner ? innerDefaults(defaults) : defaults;
  const parsed = await withNames(pipeline, { principal, body, given, policy });
  if (isRejection(parsed)) return parsed;
  if (settingsOf(parsed.call, 'alignment')) {
    const refusal = await pipeline.alignment.refusal(principal.accountId);
    if (refusal) return refusal;
  }
  const work = new StageCalls(pipeline, call, { policy, inner });
  const context: StageContext = {
    principal,
    requestId,
    signal,
    policy,
    work: dialect.tellCount ? undefined : work,
  };
  return { pipeline, catalog: ownCatalog, call, policy, context, credentials, parsed, work };
}

/** Asks for private endpoints only where a credential can call one. Most requests have none. */
async function catalogFor(
  { catalog: shared, privateEndpoints, callerCatalogs }: Pipeline,
  { accountId }: Principal,
  credentials: readonly Credential[],
): Promise<Catalog> {
  if (credentials.length === 0) return shared;
  return callerCatalogs.with(shared, await privateEndpoints.find({ accountId }));
}

interface Named {
  readonly principal: Principal;
  readonly body: ScannedBody;
  readonly given: RequestDefaults;
  readonly policy: Policy;
}

/** Parses a body with its preset, and puts models in the place of aliases. Most requests name neither. */
async function withNames(
  { presets, catalog }: Pipeline,
  { principal, body, given, policy }: Named,
): Promise<ParsedCall | Rejection> {
  let parsed = body.parse(given);
  const slug = isRejection(parsed) ? wantedPreset(parsed) : undefined;
  if (slug !== undefined) {
    const { accountId, workspaceId } = principal;
    const preset = await presets.find({ accountId, workspaceId, slug });
    if (preset) parsed = body.parse({ ...given, preset });
  }
  if (isRejection(parsed) || !policy.aliases) return parsed;
  return { ...parsed, call: expandAliases(parsed.call, policy.aliases, catalog) };
}

/** A question of a tool keeps the defaults that no question of their own follows. */
const innerPlugins: ReadonlySet<string> = new Set(['moderation', 'context-compression']);

function innerDefaults(defaults: RequestDefaults): RequestDefaults {
  const { plugins, ...others } = defaults;
  if (!plugins) return defaults;
  return { ...others, plugins: plugins.filter(({ settings }) => innerPlugins.has(settings.id)) };
}

/** Returns the defaults of a request: a word in its headers stands before that of its account. */
function defaultsOf({ defaults }: Policy, { client }: InferenceCall): RequestDefaults {
  const asked = client?.unsupportedFeatures;
  return asked === undefined ? defaults : { ...defaults, unsupportedFeatures: asked };
}

const workspaceUnavailable: Rejection = {
  rejected: 'workspace_unavailable',
  message: catalog.workspace_unavailable.message,
};
