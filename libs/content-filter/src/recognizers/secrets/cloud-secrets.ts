import { isRandom, isVaried } from './entropy.ts';
import { between, end, marked, near, prefixed, scores, uuid } from './secret-rules.ts';
import type { SecretRule } from './secret-rules.ts';

const amazon: readonly SecretRule[] = [
  prefixed('aws_access_key_id', ['AKIA', 'ASIA', 'ABIA', 'ACCA'], '[A-Z2-7][A-Z0-9]{15}', {
    isValid: (_secret, { body = '' }) => isVaried(body) && /[0-9]/u.test(body),
  }),
  {
    kind: 'aws_secret_access_key',
    gate: ['secret', 'aws', 'akia', 'asia'],
    pattern: new RegExp(
      String.raw`(?<![A-Za-z])(?:(?:aws|secret)[\w\s.:-]{0,30}?key[\w-]{0,12}${between}|` +
        String.raw`A[KS]IA[A-Z0-9]{16}["']?(?:[\s,;:|"'=/-]|secret|access|key|aws|_){1,40})` +
        String.raw`(?<![A-Za-z0-9/+])(?<secret>[A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])`,
      'iuy',
    ),
    score: scores.context,
    isValid: (secret) => isMixed(secret),
  },
  {
    kind: 'aws_session_token',
    gate: ['session', 'security'],
    pattern: new RegExp(
      String.raw`(?:session|security)[_ -]?token${between}(?<secret>[A-Za-z0-9/+]{100,2000}={0,2})(?![A-Za-z0-9/+=])`,
      'iuy',
    ),
    score: scores.context,
    isValid: (secret) => isMixed(secret),
  },
  prefixed('aws_bedrock_api_key', 'ABSK', '[A-Za-z0-9+/]{80,280}={0,2}'),
  prefixed('aws_bedrock_short_lived_key', 'bedrock-api-key-', '[A-Za-z0-9+/=]{40,4000}'),
  prefixed('aws_mws_token', 'amzn.mws.', uuid),
  prefixed('aws_cognito_client_secret', 'amzn1.oa2-cs.v1.', '[a-f0-9]{64}'),
];

/** Base64 of chance has capitals, small letters and digits; a path or a hash lacks some. */
function isMixed(secret: string): boolean {
  return (
    /[A-Z]/u.test(secret) && /[a-z]/u.test(secret) && /[0-9]/u.test(secret) && isVaried(secret)
  );
}

const google: readonly SecretRule[] = [
  prefixed('gcp_api_key', 'AIza', String.raw`[\w-]{35}`),
  prefixed('gcp_bound_api_key', 'AQ.Ab', String.raw`[\w-]{40,200}`),
  near('gcp_service_account_key_id', 'private_key_id', '[a-f0-9]{40}', { isOwnerEnough: true }),
  prefixed('google_oauth_client_secret', 'GOCSPX-', String.raw`[\w-]{28}`),
  prefixed('google_oauth_access_token', 'ya29.', String.raw`[\w-]{20,1500}`),
  prefixed('google_oauth_refresh_token', '1//0', String.raw`[\w-]{40,200}`),
];

const azureBase64 = '[A-Za-z0-9/+]';

const microsoft: readonly SecretRule[] = [
  {
    kind: 'azure_account_key',
    gate: ['accountkey=', 'sharedaccesskey='],
    pattern:
      /(?:Account|SharedAccess)Key=(?<secret>[A-Za-z0-9/+]{42,86}={0,2})(?![A-Za-z0-9/+=])/iuy,
    score: scores.prefix,
    isValid: isVaried,
  },
  near('azure_storage_key', ['azure', 'storage', 'account_key', 'cosmos'], `${azureBase64}{86}==`, {
    isValid: isMixed,
  }),
  {
    kind: 'azure_sas_token',
    gate: ['sig='],
    pattern: new RegExp(
      String.raw`(?<=[?&](?:s[rpvesti]|spr|srt|ss|skoid)=[^\s"'<>]{1,400}[?&])` +
        'sig=(?<secret>(?:[A-Za-z0-9/+]|%[0-9A-Fa-f]{2}){40,120}={0,2})',
      'uy',
    ),
    score: scores.prefix,
    isValid: isVaried,
  },
  marked(
    'azure_ad_client_secret',
    'q~',
    String.raw`(?<![_~.-])[\w~.-]{3}[0-9]`,
    String.raw`Q~[\w~.-]{31,34}(?![\w~-])`,
  ),
  marked('azure_storage_account_key', '+ast', `${azureBase64}{76}`, `\\+ASt${azureBase64}{6}==`),
  marked('azure_cosmos_key', 'acdb', `${azureBase64}{76}`, `ACDb${azureBase64}{6}==`),
  marked('azure_search_key', 'azse', '[A-Za-z0-9]{42}', `AzSe[A-Za-z0-9]{6}${end}`),
  marked('azure_function_key', 'azfu', String.raw`[\w-]{44}`, String.raw`AzFu[\w-]{5}[AQgw]==`),
  marked('azure_devops_token', 'azdo', '[A-Za-z0-9]{76}', `AZDO[A-Za-z0-9]{4}${end}`),
  near('azure_devops_classic_token', ['azure', 'devops', 'vsts', 'azdo'], '[a-z2-7]{52}'),
  near('azure_api_key', ['azure', 'ocp-apim', 'cognitive'], '[a-f0-9]{32}'),
];

const clouds: readonly SecretRule[] = [
  prefixed('alibaba_access_key_id', 'LTAI', '[A-Za-z0-9]{12,26}'),
  near('alibaba_access_key_secret', ['aliyun', 'alibaba', 'accesskeysecret'], '[a-z0-9]{30}', {
    isOwnerEnough: true,
  }),
  prefixed('tencent_secret_id', 'AKID', '[A-Za-z0-9]{32}'),
  near(
    'ibm_cloud_api_key',
    ['ibmcloud', 'ibm_cloud', 'ibm cloud', 'bluemix'],
    String.raw`[\w-]{44}`,
  ),
  prefixed('yandex_cloud_key', ['AQVN', 'YCA'], String.raw`[\w-]{35,38}`),
  prefixed('digitalocean_token', ['dop_v1_', 'doo_v1_', 'dor_v1_'], '[a-f0-9]{64}'),
  prefixed('digitalocean_spaces_key', 'DO00', '[A-Z0-9]{16}'),
  prefixed('heroku_api_key', 'HRKU-', String.raw`(?:AA[\w-]{58}|${uuid})`),
  near('heroku_api_key_uuid', 'heroku', uuid),
  near('cloudflare_api_token', ['cloudflare', 'cf_api', 'cf-api'], String.raw`[\w-]{40}`, {
    isOwnerEnough: true,
  }),
  near('cloudflare_global_key', ['cloudflare', 'x-auth-key', 'cf_api'], '[a-f0-9]{37}', {
    isOwnerEnough: true,
  }),
  prefixed('cloudflare_origin_ca_key', 'v1.0-', '[a-f0-9]{24}-[a-f0-9]{146}'),
  near('fastly_api_token', 'fastly', String.raw`[\w-]{32}`),
  prefixed('fly_api_token', ['fo1_', 'fm1r_', 'fm1a_', 'fm2_'], '[A-Za-z0-9+/=_-]{40,2000}'),
  prefixed('vercel_token', ['vcp_', 'vci_', 'vca_', 'vcr_', 'vck_'], '[A-Za-z0-9]{24,120}'),
  near('vercel_classic_token', 'vercel', '[A-Za-z0-9]{24}'),
  prefixed('netlify_token', ['nfp_', 'nfo_', 'nfu_', 'nfb_', 'nfc_'], '[A-Za-z0-9]{36,60}'),
  near('netlify_classic_token', 'netlify', String.raw`[\w-]{43,46}`),
  prefixed('render_api_key', 'rnd_', '[A-Za-z0-9]{28,40}'),
  near('railway_token', 'railway', uuid),
  near('linode_token', ['linode', 'akamai'], '[a-f0-9]{64}'),
  near('hetzner_token', ['hetzner', 'hcloud'], '[A-Za-z0-9]{64}'),
  near('scaleway_secret_key', ['scaleway', 'scw_secret', 'scw'], uuid, { isOwnerEnough: true }),
  near('vultr_api_key', 'vultr', '[A-Z0-9]{36}'),
];

const databases: readonly SecretRule[] = [
  prefixed('supabase_token', 'sbp_', '(?:v0_)?[a-f0-9]{40}'),
  prefixed('supabase_secret_key', 'sb_secret_', String.raw`[\w-]{22,64}`),
  prefixed(
    'planetscale_token',
    ['pscale_tkn_', 'pscale_pw_', 'pscale_oauth_'],
    String.raw`[\w.=-]{32,64}`,
  ),
  prefixed('neon_api_key', 'napi_', '[a-z0-9]{48,80}'),
  prefixed('databricks_token', ['dapi', 'dose'], '[a-f0-9]{32}(?:-[0-9])?'),
  near('snowflake_password', 'snowflake', String.raw`[^\s"'${'`'};,<>]{10,64}`),
  prefixed('aiven_token', 'AVNS_', String.raw`[\w-]{19}`),
  near('confluent_secret', ['confluent', 'kafka'], '[A-Za-z0-9/+]{64}', { isValid: isMixed }),
  near('mongodb_atlas_key', ['mongodb', 'atlas'], uuid),
  near('elastic_api_key', ['elastic', 'elasticsearch'], '[A-Za-z0-9+/_-]{56,64}={0,2}', {
    isValid: (secret) => isRandom(secret) && isMixed(secret),
  }),
  prefixed('tigris_secret_key', 'tsec_', '[A-Za-z0-9_-]{40,80}'),
];

/** Credentials of clouds, hosts and databases. */
export const cloudSecrets: readonly SecretRule[] = [
  ...amazon,
  ...google,
  ...microsoft,
  ...clouds,
  ...databases,
];
