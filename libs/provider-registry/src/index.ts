export { isCredentialUrl } from './credential-hosts.ts';
export {
  engineSlugs,
  isEngineSlug,
  isProviderSlug,
  isWellFormedSlug,
  providerSlugPattern,
  providerSlugs,
  type ProviderSlug,
} from './provider-slugs.ts';
