import type { ServiceBody } from '@sluice/client-schemas';
import type { RequestDefaults } from '../../policy/policy.ts';
import type { CanonicalCall } from '../../request/call.ts';
import { readSlug } from '../../request/slug.ts';
import { unsupportedModeOf } from './hosted-tools.ts';
import { readFiles } from './read-files.ts';
import { readPlugins } from './read-plugins.ts';

type ServiceCall = Omit<CanonicalCall, 'preferences' | 'inference' | 'warning'>;

/** Reads the fields that every dialect has and that are not for the model. */
export function readServiceFields(body: ServiceBody, defaults: RequestDefaults): ServiceCall {
  const trace = JSON.stringify(body.trace ?? {});
  const files = readFiles(body, defaults);
  return {
    user: body.user ?? undefined,
    sessionId: body.session_id ?? undefined,
    safetyIdentifier: body.safety_identifier ?? undefined,
    trace: trace === '{}' ? '' : trace,
    plugins: readPlugins(withOnline(body), defaults),
    unsupportedMode: unsupportedModeOf(body, defaults),
    leftOut: [],
    ...(files && { files }),
    ...(defaults.usedPreset && { preset: defaults.usedPreset }),
    loop: body.stop_server_tools_when ? { stopWhen: body.stop_server_tools_when } : {},
    echoesUpstreamBody: (body.debug?.echo_upstream_body ?? false) && (body.stream ?? false),
  };
}

/** The suffix `:online` stands for the plugin `web`, unless the request names it. */
function withOnline(body: ServiceBody): ServiceBody {
  const { model, models, plugins } = body;
  const names = [...(typeof model === 'string' ? [model] : []), ...(models ?? [])];
  if (!names.some((name) => name.includes(':') && readSlug(name).isOnline)) return body;
  if (plugins?.some(({ id }) => id === 'web')) return body;
  return { ...body, plugins: [...(plugins ?? []), { id: 'web' }] };
}
