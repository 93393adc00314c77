export { amountNanoUsdMax, boundedLimit, creditsNanoUsdMax } from './amounts.ts';
