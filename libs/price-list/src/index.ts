export { listedProviders, loadPriceList, type PriceList } from './price-list.ts';
export type { ListedModel, ListedOverride, ListedPricing } from './listed-model.ts';
