import { describe, test } from 'vitest';
import { specification } from '@sluice/es/testing';
import type { GrantCredits, PurchaseCredits, RefundCredits } from './credits.ts';
import { account } from './decide.ts';

const { given } = specification(account);
const occurredAt = '2026-01-02T03:04:05.678Z';
const later = '2026-02-02T03:04:05.678Z';
const opened = {
  type: 'AccountOpened' as const,
  data: {
    accountId: 'org_1',
    kind: 'organization' as const,
    name: 'Example',
    ownerUserId: 'user_1',
    ownerEmail: null,
    defaultWorkspaceId: '0190a000-0000-7000-8000-000000000010',
    openedAt: occurredAt,
  },
};

const granting = { accountId: 'org_1', grantId: 'welcome', reason: 'first start' };
const grant: GrantCredits = {
  type: 'GrantCredits',
  ...granting,
  amountNanoUsd: 10_000_000_000n,
  occurredAt,
};
const granted = {
  type: 'CreditsGranted' as const,
  data: { ...granting, amountNanoUsd: '10000000000', grantedAt: occurredAt },
};

const buying = { accountId: 'org_1', purchaseId: 'pay_1', reason: 'invoice 17' };
const purchase: PurchaseCredits = {
  type: 'PurchaseCredits',
  ...buying,
  amountNanoUsd: 25_000_000_000n,
  occurredAt,
};
const purchased = {
  type: 'CreditsPurchased' as const,
  data: { ...buying, amountNanoUsd: '25000000000', purchasedAt: occurredAt },
};

const refunding = { accountId: 'org_1', refundId: 'back_1', purchaseId: 'pay_1', reason: 'unused' };
const refund: RefundCredits = {
  type: 'RefundCredits',
  ...refunding,
  amountNanoUsd: 5_000_000_000n,
  occurredAt,
};
const refunded = {
  type: 'CreditsRefunded' as const,
  data: { ...refunding, amountNanoUsd: '5000000000', refundedAt: occurredAt },
};

/** No amount of credits, and no reason. */
const malformed = [
  { amountNanoUsd: 0n },
  { amountNanoUsd: -1n },
  { amountNanoUsd: 10n ** 18n + 1n },
  { reason: 'r'.repeat(501) },
];

describe('granting credits', () => {
  test('grants them', () => given(opened).when(grant).then(granted));
  test('grants once per grant id', () =>
    given(opened, granted)
      .when({ ...grant, occurredAt: later })
      .thenNothing());
  test('grants again under another grant id', () =>
    given(opened, granted)
      .when({ ...grant, grantId: 'second' })
      .then({ ...granted, data: { ...granted.data, grantId: 'second' } }));
  test('is rejected when the grant was made with another amount', () =>
    given(opened, granted)
      .when({ ...grant, amountNanoUsd: 1n })
      .thenRejected('conflict'));
  test('is rejected when there is no such account', () =>
    given().when(grant).thenRejected('not_found'));
  test.each([...malformed, { grantId: '' }, { grantId: 'a b' }])(
    'with malformed values is rejected: %o',
    (wrong) =>
      given(opened)
        .when({ ...grant, ...wrong })
        .thenRejected('invalid_request'),
  );
});

describe('all credits of an account', () => {
  const largest = 10n ** 18n;
  const grants = (count: number) =>
    Array.from({ length: count }, (_, index) => ({
      ...granted,
      data: { ...granted.data, grantId: `big_${String(index)}`, amountNanoUsd: String(largest) },
    }));
  test('may be eight of the largest amounts', () =>
    given(opened, ...grants(7))
      .when({ ...grant, amountNanoUsd: largest })
      .then({ ...granted, data: { ...granted.data, amountNanoUsd: String(largest) } }));
  test('are no more than the books can add up', () => {
    given(opened, ...grants(8))
      .when({ ...grant, amountNanoUsd: 1n })
      .thenRejected('conflict');
    given(opened, ...grants(8))
      .when({ ...purchase, amountNanoUsd: 1n })
      .thenRejected('conflict');
  });
});

describe('buying credits', () => {
  test('adds them', () => given(opened).when(purchase).then(purchased));
  test('adds them once per purchase id', () =>
    given(opened, purchased)
      .when({ ...purchase, occurredAt: later })
      .thenNothing());
  test('adds them once also when some were given back', () =>
    given(opened, purchased, refunded).when(purchase).thenNothing());
  test('is not a grant, even under the id of one', () =>
    given(opened, granted)
      .when({ ...purchase, purchaseId: 'welcome' })
      .then({ ...purchased, data: { ...purchased.data, purchaseId: 'welcome' } }));
  test('is rejected when the purchase was made with another amount', () =>
    given(opened, purchased)
      .when({ ...purchase, amountNanoUsd: 1n })
      .thenRejected('conflict'));
  test('is rejected when there is no such account', () =>
    given().when(purchase).thenRejected('not_found'));
  test.each([...malformed, { purchaseId: '' }, { purchaseId: 'a b' }])(
    'with malformed values is rejected: %o',
    (wrong) =>
      given(opened)
        .when({ ...purchase, ...wrong })
        .thenRejected('invalid_request'),
  );
});

describe('refunding credits', () => {
  const whole = { ...refund, amountNanoUsd: purchase.amountNanoUsd };
  const second = { ...refund, refundId: 'back_2' };

  test('takes them back', () => given(opened, purchased).when(refund).then(refunded));
  test('takes back all of a purchase', () =>
    given(opened, purchased)
      .when(whole)
      .then({ ...refunded, data: { ...refunded.data, amountNanoUsd: '25000000000' } }));
  test('takes them back once per refund id', () =>
    given(opened, purchased, refunded)
      .when({ ...refund, occurredAt: later })
      .thenNothing());
  test('takes back the rest of a purchase under another refund id', () =>
    given(opened, purchased, refunded)
      .when({ ...second, amountNanoUsd: 20_000_000_000n })
      .then({
        ...refunded,
        data: { ...refunded.data, refundId: 'back_2', amountNanoUsd: '20000000000' },
      }));
  test('of more than was bought is rejected', () =>
    given(opened, purchased)
      .when({ ...whole, amountNanoUsd: whole.amountNanoUsd + 1n })
      .thenRejected('conflict'));
  test('of more than is left after other refunds is rejected', () =>
    given(opened, purchased, refunded)
      .when({ ...second, amountNanoUsd: 20_000_000_001n })
      .thenRejected('conflict'));
  test('of what was never bought is rejected', () =>
    given(opened, purchased)
      .when({ ...refund, purchaseId: 'pay_2' })
      .thenRejected('not_found'));
  test('of a grant is rejected', () =>
    given(opened, granted)
      .when({ ...refund, purchaseId: 'welcome' })
      .thenRejected('not_found'));
  test.each([{ amountNanoUsd: 1n }, { purchaseId: 'pay_2' }])(
    'under an id that was used for another refund is rejected: %o',
    (other) =>
      given(
        opened,
        purchased,
        { ...purchased, data: { ...purchased.data, purchaseId: 'pay_2' } },
        refunded,
      )
        .when({ ...refund, ...other })
        .thenRejected('conflict'),
  );
  test('is rejected when there is no such account', () =>
    given().when(refund).thenRejected('not_found'));
  test.each([...malformed, { refundId: '' }, { refundId: 'a b' }, { purchaseId: 'a b' }])(
    'with malformed values is rejected: %o',
    (wrong) =>
      given(opened, purchased)
        .when({ ...refund, ...wrong })
        .thenRejected('invalid_request'),
  );
});
