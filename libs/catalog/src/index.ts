export { atMidnight } from './at-midnight.ts';
export {
  type Catalog,
  type CatalogEndpoint,
  type CatalogProvider,
  type InputModality,
  type Model,
  type OutputModality,
  type Pricing,
  type Quantization,
  type ReasoningAbility,
  type ServiceTier,
  createCatalog,
  inputModalities,
  quantizations,
} from './catalog.ts';
export { type CatalogFile, InvalidCatalog, parseCatalogFile } from './file.ts';
export { areModelsKnown, loadCatalog } from './load-catalog.ts';
export { parseAside } from './parse-aside.ts';
export { type PriceBook, type PricedEndpoint, priceBookOf } from './price-book.ts';
export { pricesOf } from './pricing.ts';
export { type Settings } from './providers.ts';
export { type ReloadingCatalog, reloadingCatalog } from './reloading-catalog.ts';
export { type PoolModel, type RouterModels } from './router-models.ts';
export { endpointRow, modelRow } from './rows.ts';
export {
  type ToolCounts,
  type ToolPrice,
  type ToolPrices,
  toolCostNanoUsd,
  toolWorstNanoUsd,
} from './tool-prices.ts';
export { watchFileChanges } from './watch-file.ts';
