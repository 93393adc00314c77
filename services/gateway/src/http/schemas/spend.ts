import { number } from './fields.ts';

/** The spend of a key in USD: of the account's credits, and at list price with its own provider keys. */
export const spendFields = {
  usage: number('Spend since the beginning, in USD.', 0.000_022),
  usage_daily: number('Spend since midnight UTC, in USD.', 0.25),
  usage_weekly: number('Spend since Monday, in USD.', 0.5),
  usage_monthly: number('Spend in this UTC month, in USD.', 1.25),
  byok_usage: number('Spend on own provider credentials since the beginning, in USD.', 1.25),
  byok_usage_daily: number('Spend on own provider credentials since midnight UTC, in USD.', 0.25),
  byok_usage_weekly: number('Spend on own provider credentials since Monday, in USD.', 0.5),
  byok_usage_monthly: number('Spend on own provider credentials in this UTC month, in USD.', 1.25),
};
