import { Type } from 'typebox';

/** The spend of a key in USD: of the account's credits, and at list price with its own provider keys. */
export const spendFields = {
  usage: Type.Number(),
  usage_daily: Type.Number(),
  usage_weekly: Type.Number(),
  usage_monthly: Type.Number(),
  byok_usage: Type.Number(),
  byok_usage_daily: Type.Number(),
  byok_usage_weekly: Type.Number(),
  byok_usage_monthly: Type.Number(),
};
