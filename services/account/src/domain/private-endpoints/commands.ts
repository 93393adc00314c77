import type { DeclaredRegion, EndpointPricing, PrivateEndpointDrafted } from './events.ts';

interface Of {
  readonly accountId: string;
  readonly endpointId: string;
  /** ISO 8601, UTC, milliseconds. */
  readonly occurredAt: string;
}

/** The model and the provider exist, and the address may be called. Other values are as they were asked for. */
export interface DraftEndpoint
  extends Of, Omit<PrivateEndpointDrafted['data'], 'draftedAt' | 'accountId' | 'endpointId'> {
  readonly type: 'DraftEndpoint';
}

/** An absent field stays. A declaration is dropped when the upstream changes and the command does not repeat it. */
export interface ReconfigureEndpoint extends Of {
  readonly type: 'ReconfigureEndpoint';
  readonly upstreamModelId: string;
  readonly baseUrl: string | undefined;
  readonly declaredZdr: boolean | null | undefined;
  readonly declaredRegion: DeclaredRegion | null | undefined;
}

/** The outcome of a live call to the upstream. */
export interface RecordValidation extends Of {
  readonly type: 'RecordValidation';
  readonly workspaceId: string;
  /** The version of the upstream that was called. */
  readonly version: number;
  /** Empty: it passed. */
  readonly failures: readonly { readonly check: string; readonly reason: string }[];
  readonly credentialId: string;
  readonly secretId: string;
}

export interface ActivateEndpoint extends Of {
  readonly type: 'ActivateEndpoint';
  /** The secrets that requests of the validating workspace may use now. */
  readonly secretIds: readonly string[];
}

export interface SwitchEndpoint extends Of {
  readonly type: 'EnableEndpoint' | 'DisableEndpoint';
}

export interface RepriceEndpoint extends Of {
  readonly type: 'RepriceEndpoint';
  readonly pricing: EndpointPricing;
}

export interface DeleteEndpoint extends Of {
  readonly type: 'DeleteEndpoint';
  readonly draftOnly: boolean;
}

export type ChangeEndpoint =
  | ReconfigureEndpoint
  | RecordValidation
  | ActivateEndpoint
  | SwitchEndpoint
  | RepriceEndpoint
  | DeleteEndpoint;

export type PrivateEndpointsCommand = DraftEndpoint | ChangeEndpoint;
