export { isCredentialUrl } from './credential-hosts.ts';
export {
  isProviderSlug,
  isWellFormedSlug,
  providerSlugPattern,
  providerSlugs,
  type ProviderSlug,
} from './provider-slugs.ts';
