export { isProviderSlug, providerSlugs, type ProviderSlug } from './provider-slugs.ts';
