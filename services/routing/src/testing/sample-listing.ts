import { equal } from 'node:assert/strict';
import type { CatalogView, InferenceReply } from '@sluice/inference-port';
import { createCatalog, type Model } from '@sluice/catalog';
import type { Credential } from '../credentials/credential.ts';
import { createListing, type ListingDeps } from '../models/create-listing.ts';
import type { Guardrail, Policy } from '../policy/policy.ts';

const now = () => new Date('2026-11-21T00:00:00Z');
export const principal = {
  accountId: 'account',
  workspaceId: 'workspace',
  keyHash: 'key',
  limitNanoUsd: null,
  limitReset: null,
  includeByokInLimit: false,
};

export type Rules = NonNullable<Guardrail['rules']>;
/** A policy with guardrails of these rules. */
export const policyOf = (...rules: readonly Partial<Rules>[]): Policy => ({
  isWorkspaceAlive: true,
  disabledServerTools: [],
  allowedPhrases: [],
  budgets: [],
  includeByokInBudgets: false,
  defaults: {},
  guardrails: rules.map((some, index) => ({
    id: `g${index}`,
    name: 'g',
    scope: 'key',
    assigneeId: 'key',
    includeByok: false,
    rules: some as Rules,
  })),
});

export interface ListingOptions {
  readonly policy?: Policy;
  readonly credentials?: readonly Credential[];
  readonly more?: Partial<ListingDeps>;
}

/** The lists of these models, asked by one key. */
export function listing(
  models: readonly Model[],
  { policy, credentials = [], more }: ListingOptions = {},
) {
  const lists = createListing({
    catalog: createCatalog(models, []),
    policies: { find: () => policy ?? policyOf() },
    credentials: { find: () => credentials },
    now,
    ...more,
  });
  const read = (view: CatalogView, parameters = {}, reportsMeasured = false) =>
    lists.read({ view, parameters, reportsMeasured, principal });
  return {
    lists,
    read,
    ids: async (view: CatalogView, parameters = {}) =>
      (await dataOf<{ id: string }[]>(read(view, parameters))).map(({ id }) => id),
  };
}

export const textOf = ({ body }: InferenceReply) => Buffer.from(body as Uint8Array).toString();
/** Returns the data of a successful answer. */
export async function dataOf<Data>(reply: Promise<InferenceReply>): Promise<Data> {
  const answered = await reply;
  equal(answered.status, 200, textOf(answered));
  return (JSON.parse(textOf(answered)) as { data: Data }).data;
}
