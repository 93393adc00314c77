import { event, type EventOf, instant, nanoUsd, nullable, type Shape } from '@sluice/es';
import { Type } from 'typebox';

const accountKind = Type.Enum(['personal', 'organization']);
export type AccountKind = Shape<typeof accountKind>;

/** The features that the operator gives to single accounts. */
export const entitlements = ['scim', 'alignment'] as const;

const entitlement = Type.Enum(entitlements, {
  description:
    'A feature that an account may have: directory groups (SCIM), or the beta of the plugin `alignment`.',
});
export type Entitlement = Shape<typeof entitlement>;

/** The events of an account. Names and shapes are the storage format. */
export const accountStream = {
  category: 'account',
  id: '<account id>',
  description: 'The opening of an account, its credits and its settings.',
  events: {
    AccountOpened: event(
      'An account exists from now on, with its owner and its default workspace.',
      {
        accountId: Type.String(),
        kind: accountKind,
        name: Type.String(),
        ownerUserId: Type.String(),
        ownerEmail: nullable(Type.String(), 'null: it was not given.'),
        defaultWorkspaceId: Type.String(),
        openedAt: instant,
      },
    ),
    CreditsGranted: event(
      'Credits were given to an account without a purchase; once per grant id.',
      {
        accountId: Type.String(),
        grantId: Type.String(),
        amountNanoUsd: nanoUsd,
        reason: Type.String(),
        grantedAt: instant,
      },
    ),
    CreditsPurchased: event('Credits were bought for an account; once per purchase id.', {
      accountId: Type.String(),
      purchaseId: Type.String(),
      amountNanoUsd: nanoUsd,
      reason: Type.String(),
      purchasedAt: instant,
    }),
    CreditsRefunded: event(
      'Credits of a purchase were taken back and paid out; once per refund id, never more than was bought.',
      {
        accountId: Type.String(),
        refundId: Type.String(),
        purchaseId: Type.String(),
        amountNanoUsd: nanoUsd,
        reason: Type.String(),
        refundedAt: instant,
      },
    ),
    OrganizationSettingsChanged: event(
      'An organization changed the settings of all of its keys. The event holds all settings.',
      {
        accountId: Type.String(),
        isFilteredModelCatalogEnabled: Type.Boolean({
          description: '`GET /models` shows a key only the models that it may use.',
        }),
        changedAt: instant,
      },
    ),
    EntitlementChanged: event('The operator gave an account a feature, or took it away.', {
      accountId: Type.String(),
      entitlement,
      isEnabled: Type.Boolean(),
      changedAt: instant,
    }),
  },
};
export type AccountEvent = EventOf<typeof accountStream>;
export type AccountOpened = EventOf<typeof accountStream, 'AccountOpened'>;
export type OrganizationSettingsChanged = EventOf<
  typeof accountStream,
  'OrganizationSettingsChanged'
>;
export type EntitlementChanged = EventOf<typeof accountStream, 'EntitlementChanged'>;
