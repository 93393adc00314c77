import type { EndpointCheck } from '@sluice/protos/sluice/account/v1/private_endpoint';

/** The checks of an endpoint, in their order: one that failed ends them. */
export const checkNames = [
  'config_ok',
  'credential_ok',
  'auth_ok',
  'response_ok',
  'stream_ok',
  'usage_ok',
  'model_ok',
] as const;
export type CheckName = (typeof checkNames)[number];

export interface CheckFailure {
  readonly reason: string;
  readonly actualModel?: string | undefined;
  readonly upstreamMessage?: string | undefined;
  readonly upstreamStatus?: number | undefined;
}

const nothingTold = {
  actualModel: undefined,
  upstreamMessage: undefined,
  upstreamStatus: undefined,
};

/** Collects the outcomes of checks. One that was not made has not passed, and has no reason. */
export class Checks {
  readonly #outcomes = new Map<CheckName, EndpointCheck>();

  passed(name: CheckName, told: { readonly actualModel?: string } = {}): this {
    return this.#set(name, { passed: true, reason: '', ...told });
  }

  failed(name: CheckName, failure: CheckFailure | undefined): this {
    return this.#set(name, { passed: false, reason: 'upstream_error', ...failure });
  }

  all(): EndpointCheck[] {
    return checkNames.map(
      (name) => this.#outcomes.get(name) ?? { ...nothingTold, name, passed: false, reason: '' },
    );
  }

  #set(name: CheckName, outcome: Partial<EndpointCheck>): this {
    this.#outcomes.set(name, { ...nothingTold, name, passed: false, reason: '', ...outcome });
    return this;
  }
}
