import type { EndpointPricing } from '../../domain/private-endpoints/events.ts';

/** The place of an endpoint to come, as the catalog has it. */
export interface DescribedEndpoint {
  /** If undefined, there is no such model. */
  readonly model: NamedModel | undefined;
  /** If undefined, there is no such provider. */
  readonly provider: NamedProvider | undefined;
  /** The price of the model at the provider; undefined: the catalog has none. */
  readonly pricing: EndpointPricing | undefined;
  /** Completes "base_url …"; undefined: none. */
  readonly baseUrlProblem: string | undefined;
}

export interface NamedModel {
  readonly canonicalSlug: string;
  readonly slug: string;
  readonly title: string;
}

export interface NamedProvider {
  readonly slug: string;
  readonly title: string;
}

/** The known names of models, by their canonical slugs, and of providers, by their slugs. */
export interface Names {
  readonly models: ReadonlyMap<string, NamedModel>;
  readonly providers: ReadonlyMap<string, NamedProvider>;
}

/** One check of the upstream of an endpoint. */
export interface Check {
  readonly name: string;
  readonly passed: boolean;
  /** Empty: it passed, or it was not made. */
  readonly reason: string;
  readonly actualModel?: string | undefined;
  readonly upstreamMessage?: string | undefined;
  readonly upstreamStatus?: number | undefined;
}

export interface CheckedEndpoint {
  readonly checks: readonly Check[];
  /** Empty: no credential was used. */
  readonly credentialId: string;
  readonly secretId: string;
}

export interface EndpointToCheck {
  readonly accountId: string;
  readonly workspaceId: string;
  readonly requestId: string;
  readonly modelPermaslug: string;
  readonly provider: string;
  readonly upstreamModelId: string;
  readonly baseUrl: string | null;
}

/** Routing has the catalog, the credentials and the way to upstreams. Each call throws unavailable without it. */
export interface EndpointChecks {
  describe(asked: {
    readonly model: string;
    readonly provider: string;
    readonly baseUrl: string | null;
  }): Promise<DescribedEndpoint>;
  names(asked: {
    readonly models: readonly string[];
    readonly providers: readonly string[];
  }): Promise<Names>;
  /** Calls the upstream. It takes half a minute at most. */
  check(endpoint: EndpointToCheck): Promise<CheckedEndpoint>;
  /** Returns the secrets that requests of the workspace may call the provider with now. */
  usableSecrets(asked: {
    readonly accountId: string;
    readonly workspaceId: string;
    readonly provider: string;
  }): Promise<readonly string[]>;
}
