import type { AccountEvent, AccountOpened, Entitlement } from './events.ts';

export type Account =
  | { readonly kind: 'none' }
  | {
      readonly kind: 'open';
      readonly opened: AccountOpened['data'];
      /** The amount of each grant that was made, by its id. */
      readonly grantsNanoUsd: ReadonlyMap<string, bigint>;
      readonly purchases: ReadonlyMap<string, Purchase>;
      readonly refunds: ReadonlyMap<string, Refund>;
      readonly settings: OrganizationSettings;
      readonly entitlements: ReadonlySet<Entitlement>;
    };

export interface OrganizationSettings {
  readonly isFilteredModelCatalogEnabled: boolean;
}

export interface Purchase {
  readonly amountNanoUsd: bigint;
  /** All that was given back of it. */
  readonly refundedNanoUsd: bigint;
}

export interface Refund {
  readonly purchaseId: string;
  readonly amountNanoUsd: bigint;
}

/** The features that an account has until the operator takes them away. */
const entitlementsAtFirst: readonly Entitlement[] = ['scim'];

export const initial: Account = { kind: 'none' };

export function evolve(account: Account, event: AccountEvent): Account {
  switch (event.type) {
    case 'AccountOpened': {
      const none = { grantsNanoUsd: new Map(), purchases: new Map(), refunds: new Map() };
      const settings = { isFilteredModelCatalogEnabled: false };
      const entitlements = new Set(entitlementsAtFirst);
      return { kind: 'open', opened: event.data, ...none, settings, entitlements };
    }
    case 'CreditsGranted': {
      if (account.kind === 'none') return account;
      const { grantId, amountNanoUsd } = event.data;
      const grantsNanoUsd = withEntry(account.grantsNanoUsd, grantId, BigInt(amountNanoUsd));
      return { ...account, grantsNanoUsd };
    }
    case 'CreditsPurchased': {
      if (account.kind === 'none') return account;
      const { purchaseId, amountNanoUsd } = event.data;
      const purchase = { amountNanoUsd: BigInt(amountNanoUsd), refundedNanoUsd: 0n };
      return { ...account, purchases: withEntry(account.purchases, purchaseId, purchase) };
    }
    case 'CreditsRefunded': {
      if (account.kind === 'none') return account;
      const { refundId, purchaseId } = event.data;
      const amountNanoUsd = BigInt(event.data.amountNanoUsd);
      const refunds = withEntry(account.refunds, refundId, { purchaseId, amountNanoUsd });
      const purchase = account.purchases.get(purchaseId);
      if (!purchase) return { ...account, refunds };
      const refundedNanoUsd = purchase.refundedNanoUsd + amountNanoUsd;
      const less = { ...purchase, refundedNanoUsd };
      return { ...account, refunds, purchases: withEntry(account.purchases, purchaseId, less) };
    }
    case 'OrganizationSettingsChanged': {
      if (account.kind === 'none') return account;
      const { isFilteredModelCatalogEnabled } = event.data;
      return { ...account, settings: { isFilteredModelCatalogEnabled } };
    }
    case 'EntitlementChanged': {
      if (account.kind === 'none') return account;
      const { entitlement, isEnabled } = event.data;
      const others = [...account.entitlements].filter((one) => one !== entitlement);
      return { ...account, entitlements: new Set(isEnabled ? [...others, entitlement] : others) };
    }
  }
}

function withEntry<Value>(
  map: ReadonlyMap<string, Value>,
  key: string,
  value: Value,
): ReadonlyMap<string, Value> {
  return new Map([...map, [key, value]]);
}
