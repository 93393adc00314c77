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

type CallerSettings = Pick<ReadCall, 'policy' | 'credentials'>;

/** Finds the settings of the caller and parses the body with them. `inner` is the place of a question of a tool. */
export async function readCall(
  pipeline: Pipeline,
  call: InferenceCall,
  inner?: InnerPlace,
): Promise<ReadCall | Rejection> {
  const { principal, requestId, signal } = call;
  const dialect = pipeline.dialects[call.dialect];
  const scanned = dialect.scan(call.body);
  const body = scanned instanceof Promise ? await scanned : scanned;
  const asked = settingsFor(pipeline, principal);
  const { policy, credentials } = asked instanceof Promise ? await asked : asked;
  if (!policy.isWorkspaceAlive) return workspaceUnavailable;
  const ownCatalog =
    credentials.length === 0 ? pipeline.catalog : await catalogWithOwn(pipeline, principal);
  const defaults = defaultsOf(policy, call);
  const given = inner ? innerDefaults(defaults) : defaults;
  const first = body.parse(given);
  const slug = isRejection(first) ? wantedPreset(first) : undefined;
  const named =
    slug === undefined ? first : await withPreset(pipeline, { principal, body, given, slug });
  if (isRejection(named)) return named;
  const parsed = withAliases(named, policy, pipeline);
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

/** Returns the settings of a caller: at once if they are kept. */
function settingsFor(
  pipeline: Pipeline,
  principal: Principal,
): CallerSettings | Promise<CallerSettings> {
  const policy = pipeline.policies.find(principal);
  const credentials = pipeline.credentials.find(principal);
  if (!(policy instanceof Promise || credentials instanceof Promise))
    return { policy, credentials };
  return Promise.all([policy, credentials]).then(([policy, credentials]) => {
    return { policy, credentials };
  });
}

/** Asks for private endpoints only where a credential can call one. Most requests have none. */
async function catalogWithOwn(
  { catalog: shared, privateEndpoints, callerCatalogs }: Pipeline,
  { accountId }: Principal,
): Promise<Catalog> {
  return callerCatalogs.with(shared, await privateEndpoints.find({ accountId }));
}

interface Named {
  readonly principal: Principal;
  readonly body: ScannedBody;
  readonly given: RequestDefaults;
  readonly slug: string;
}

/** Parses a body with the preset that it names. Most requests name none. */
async function withPreset(
  { presets }: Pipeline,
  { principal, body, given, slug }: Named,
): Promise<ParsedCall | Rejection> {
  const { accountId, workspaceId } = principal;
  const preset = await presets.find({ accountId, workspaceId, slug });
  return body.parse(preset ? { ...given, preset } : given);
}

/** Puts models in the place of the aliases of the account. */
function withAliases(parsed: ParsedCall, { aliases }: Policy, { catalog }: Pipeline): ParsedCall {
  return aliases ? { ...parsed, call: expandAliases(parsed.call, aliases, catalog) } : parsed;
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
