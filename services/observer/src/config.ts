import {
  type Env,
  checkSettings,
  loadConfig,
  processSettings,
  readModelSettings,
  rpcServerSettings,
  secret,
} from '@sluice/boot';
import { egressSettings, loadEgressAddresses } from '@sluice/boot/egress-addresses';
import type { AllowList } from '@sluice/egress';
import { Type } from 'typebox';
import type { ContentBounds } from './store/contents.ts';
import type { LogBounds } from './store/retain.ts';

const mebibytes = (fallback: number, description: string) =>
  Type.Integer({ default: fallback, minimum: 1, maximum: 1_048_576, description });

const observerSettings = {
  SLUICE_OBSERVER_LOG_HOURS: Type.Integer({
    default: 48,
    minimum: 1,
    maximum: 336,
    description: 'Hours that a generation is kept for destinations that are behind',
  }),
  SLUICE_OBSERVER_LOG_MIB: mebibytes(4_096, 'MiB of generations that are kept for all of them'),
  SLUICE_OBSERVER_WORKSPACE_MIB: mebibytes(512, 'MiB of these that one workspace may have'),
  SLUICE_OBSERVER_END_WAIT_SECONDS: Type.Integer({
    default: 1_800,
    minimum: 10,
    maximum: 86_400,
    description:
      'Seconds after which a response with tools is delivered as far as it got, if its end does not come',
  }),
  SLUICE_OBSERVER_CONTENT_DAYS: Type.Integer({
    default: 92,
    minimum: 1,
    maximum: 3_660,
    description: 'Days that the contents of a generation are stored for a workspace that wants it',
  }),
  SLUICE_OBSERVER_CONTENT_MIB: mebibytes(
    10_240,
    'MiB of contents that are stored for all workspaces',
  ),
  SLUICE_OBSERVER_WORKSPACE_CONTENT_MIB: mebibytes(
    2_048,
    'MiB of contents that are stored for one workspace',
  ),
  ...egressSettings,
};

const schema = Type.Object({
  ...processSettings,
  ...rpcServerSettings,
  ...readModelSettings,
  ...observerSettings,
  SLUICE_NATS_URL: Type.String({ description: 'nats://host:port, several separated by commas' }),
  SLUICE_NATS_TOKEN: Type.Optional(secret('The token of the message bus')),
  SLUICE_WORKSPACE_ADDRESS: Type.String({ description: 'host:port of the workspace service' }),
});

export interface ObserverSettings {
  readonly bounds: LogBounds;
  readonly contentBounds: ContentBounds;
  readonly allowList: AllowList;
}

export type ObserverConfig = ReturnType<typeof loadObserverConfig>;

/** Throws InvalidConfig with all problems. */
export function loadObserverConfig(env: Env) {
  checkSettings([() => loadConfig(schema, env), () => loadObserverSettings(env)]);
  return { ...loadConfig(schema, env), settings: loadObserverSettings(env) };
}

/** Returns the bounds of the log and the addresses of destinations. Throws InvalidConfig. */
export function loadObserverSettings(env: Env): ObserverSettings {
  const given = loadConfig(Type.Object(observerSettings), env);
  return {
    bounds: {
      ageMsMax: given.SLUICE_OBSERVER_LOG_HOURS * 3_600_000,
      bytesMax: given.SLUICE_OBSERVER_LOG_MIB * 1_048_576,
      workspaceBytesMax: given.SLUICE_OBSERVER_WORKSPACE_MIB * 1_048_576,
      endWaitMs: given.SLUICE_OBSERVER_END_WAIT_SECONDS * 1_000,
    },
    contentBounds: {
      ageMsMax: given.SLUICE_OBSERVER_CONTENT_DAYS * 24 * 3_600_000,
      bytesMax: given.SLUICE_OBSERVER_CONTENT_MIB * 1_048_576,
      workspaceBytesMax: given.SLUICE_OBSERVER_WORKSPACE_CONTENT_MIB * 1_048_576,
    },
    allowList: loadEgressAddresses(env),
  };
}
