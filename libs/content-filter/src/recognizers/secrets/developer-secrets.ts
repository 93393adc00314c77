import { end, marked, near, prefixed, uuid } from './secret-rules.ts';
import type { SecretRule } from './secret-rules.ts';

const word = String.raw`[\w-]`;
/** Newer tokens of GitLab end with their routing, length and checksum. */
const gitlab = String.raw`(?:${word}{27,300}\.[0-9a-z]{2}\.?[0-9a-z]{7,9}|${word}{20,64})`;

const hosts: readonly SecretRule[] = [
  prefixed('github_token', ['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_'], '[A-Za-z0-9]{36}'),
  prefixed('github_fine_grained_token', 'github_pat_', '[A-Za-z0-9]{22}_[A-Za-z0-9]{59}'),
  prefixed('gitlab_personal_token', 'glpat-', gitlab),
  prefixed('gitlab_deploy_token', 'gldt-', gitlab),
  prefixed('gitlab_runner_token', ['glrt-', 'glrtr-'], `(?:t[0-9]_)?${gitlab}`),
  prefixed('gitlab_runner_registration_token', 'GR1348941', `${word}{20}`),
  prefixed('gitlab_job_token', 'glcbt-', `(?:[0-9a-fA-F]{1,5}_)?${word}{20,64}`),
  prefixed('gitlab_trigger_token', 'glptt-', gitlab),
  prefixed('gitlab_feed_token', 'glft-', gitlab),
  prefixed('gitlab_mail_token', 'glimt-', `${word}{25}`),
  prefixed('gitlab_agent_token', 'glagent-', `${word}{50,64}`),
  prefixed('gitlab_oauth_secret', 'gloas-', `${word}{64}`),
  prefixed('gitlab_scim_token', 'glsoat-', `${word}{20,64}`),
  prefixed('gitlab_feature_flag_token', 'glffct-', `${word}{20,64}`),
  prefixed('bitbucket_app_password', ['ATBB', 'ATCTT3xFfG'], '[A-Za-z0-9_=-]{28,200}'),
  prefixed('atlassian_api_token', 'ATATT3xFfG', '[A-Za-z0-9+/=_-]{120,240}'),
  near('atlassian_classic_token', ['atlassian', 'jira', 'confluence'], '[A-Za-z0-9]{24}'),
  prefixed('sourcegraph_token', 'sgp_', '(?:[a-f0-9]{16}_|local_)?[a-f0-9]{40}'),
];

const registries: readonly SecretRule[] = [
  prefixed('npm_token', 'npm_', '[A-Za-z0-9]{36}'),
  near('npm_auth_token', ['_authtoken', '_auth'], `(?:${uuid}|[A-Za-z0-9+/=]{32,200})`, {
    isOwnerEnough: true,
  }),
  prefixed('pypi_token', ['pypi-AgEIcHlwaS5vcmc', 'pypi-AgENdGVzdC5weXBp'], `${word}{50,1000}`),
  prefixed('rubygems_api_key', 'rubygems_', '[a-f0-9]{48}'),
  prefixed('crates_io_token', 'cio', '[A-Za-z0-9]{32}', {
    isValid: (_secret, { body = '' }) => /[0-9]/u.test(body) && /[A-Z]/u.test(body),
  }),
  prefixed('nuget_api_key', 'oy2', '[a-z0-9]{43}'),
  prefixed('docker_hub_token', ['dckr_pat_', 'dckr_oat_'], `${word}{27,60}`),
  prefixed('clojars_token', 'CLOJARS_', '[a-f0-9]{60}'),
  prefixed('artifactory_token', ['AKCp', 'cmVmdGtu'], '[A-Za-z0-9]{56,72}'),
  prefixed('postman_api_key', 'PMAK-', '[a-f0-9]{24}-[a-f0-9]{34}'),
];

const builders: readonly SecretRule[] = [
  prefixed('circleci_token', ['CCIPAT_', 'CCIPRJ_'], '[A-Za-z0-9]{22}_[a-f0-9]{40}'),
  near('circleci_classic_token', ['circleci', 'circle_token', 'circle-token'], '[a-f0-9]{40}', {
    isOwnerEnough: true,
  }),
  prefixed('buildkite_token', ['bkua_', 'bkct_', 'bkaj_'], '[a-z0-9]{40,120}'),
  near('travis_token', 'travis', `${word}{22}`),
  prefixed('sonar_token', ['sqp_', 'squ_', 'sqa_'], '[a-f0-9]{40}'),
  near('snyk_token', 'snyk', uuid),
  near('codecov_token', 'codecov', `(?:[a-f0-9]{32}|${uuid})`),
  prefixed('pulumi_token', 'pul-', '[a-f0-9]{40}'),
  prefixed(
    'harness_token',
    ['pat.', 'sat.'],
    String.raw`${word}{22}\.[0-9a-f]{24}\.[A-Za-z0-9]{20}`,
  ),
  prefixed('prefect_token', ['pnu_', 'pnb_'], '[A-Za-z0-9]{36}'),
  prefixed('tailscale_key', 'tskey-', '[a-z]{3,12}-[A-Za-z0-9]{6,24}-[A-Za-z0-9]{16,48}'),
  near('ngrok_token', 'ngrok', '[A-Za-z0-9]{27}_[A-Za-z0-9]{20,22}'),
  prefixed(
    'jetbrains_token',
    'perm-',
    String.raw`[A-Za-z0-9+/=]{8,40}\.[A-Za-z0-9+/=]{8,80}\.[A-Za-z0-9+/=]{20,60}`,
  ),
];

const vaults: readonly SecretRule[] = [
  prefixed('vault_service_token', 'hvs.', `${word}{24,300}`),
  prefixed('vault_batch_token', 'hvb.', `${word}{60,600}`),
  prefixed('vault_recovery_token', 'hvr.', `${word}{24,300}`),
  near('vault_classic_token', 'vault', String.raw`s\.[A-Za-z0-9]{24}`),
  marked(
    'terraform_token',
    '.atlasv1.',
    '[A-Za-z0-9]{14}',
    `\\.atlasv1\\.[A-Za-z0-9_=-]{60,70}${end}`,
  ),
  prefixed(
    'doppler_token',
    ['dp.pt.', 'dp.st.', 'dp.ct.', 'dp.sa.', 'dp.said.', 'dp.scim.', 'dp.audit.'],
    String.raw`(?:[a-z0-9_-]{2,35}\.)?[A-Za-z0-9]{40,44}`,
  ),
  prefixed('onepassword_service_token', 'ops_eyJ', '[A-Za-z0-9+/_-]{200,2000}={0,3}'),
  prefixed(
    'onepassword_secret_key',
    'A3-',
    '[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})(?:-[A-Z0-9]{5}){3}',
  ),
  prefixed('age_secret_key', 'AGE-SECRET-KEY-1', '[QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L]{58}'),
  near(
    'bitwarden_secret',
    'bitwarden',
    String.raw`0\.${uuid}\.[A-Za-z0-9]{30}:[A-Za-z0-9+/]{22}==`,
  ),
];

const monitors: readonly SecretRule[] = [
  near('datadog_api_key', ['datadog', 'dd_api', 'dd-api'], '[a-f0-9]{32}', { isOwnerEnough: true }),
  near('datadog_application_key', ['datadog', 'dd_app', 'dd-app'], '[a-f0-9]{40}', {
    isOwnerEnough: true,
  }),
  prefixed('new_relic_user_key', 'NRAK-', '[A-Z0-9]{27}'),
  prefixed('new_relic_insert_key', ['NRII-', 'NRIQ-'], `${word}{32}`),
  prefixed('new_relic_browser_key', ['NRJS-', 'NRBR-'], '[a-f0-9]{19}'),
  marked(
    'new_relic_license_key',
    ['nral', 'nrmi'],
    '[a-f0-9]{32,36}(?:FFFF)?',
    `NR(?:AL|MI)${end}`,
  ),
  prefixed('grafana_service_account_token', 'glsa_', '[A-Za-z0-9]{32}_[A-Fa-f0-9]{8}'),
  prefixed('grafana_cloud_token', 'glc_eyJ', '[A-Za-z0-9+/]{32,400}={0,2}'),
  prefixed('grafana_api_key', 'eyJrIjoi', '[A-Za-z0-9+/]{60,400}={0,2}'),
  prefixed(
    'sentry_organization_token',
    'sntrys_eyJ',
    '[A-Za-z0-9+/]{20,400}={0,2}_[A-Za-z0-9+/]{43}',
  ),
  prefixed('sentry_user_token', 'sntryu_', '[a-f0-9]{64}'),
  near('sentry_classic_token', 'sentry', '[a-f0-9]{64}'),
  near(
    'pagerduty_api_key',
    ['pagerduty', 'pd_api'],
    String.raw`(?:u\+|y_)?[\w+-]{18,20}|[a-f0-9]{32}`,
    {
      isOwnerEnough: true,
    },
  ),
  prefixed('honeycomb_key', ['hcaik_', 'hcamk_', 'hcxik_'], '[a-z0-9]{26,64}'),
  prefixed('dynatrace_token', ['dt0c01.', 'dt0s16.'], String.raw`[A-Z0-9]{24}\.[A-Z0-9]{64}`),
  near('rollbar_token', 'rollbar', '[a-f0-9]{32}'),
  near('launchdarkly_key', ['launchdarkly', 'ld_sdk'], `(?:sdk|api|mob)-${uuid}`, {
    isOwnerEnough: true,
  }),
];

const tools: readonly SecretRule[] = [
  prefixed('linear_api_key', ['lin_api_', 'lin_oauth_'], '[A-Za-z0-9]{40,64}'),
  prefixed('notion_token', 'ntn_', '[0-9]{8,12}[A-Za-z0-9]{32,40}'),
  near('notion_classic_token', 'notion', '(?:secret_)?[A-Za-z0-9]{43}'),
  prefixed('figma_token', ['figd_', 'figdr_', 'figu_', 'figo_'], `${word}{35,60}`),
  prefixed('asana_token', ['0/', '1/', '2/'], '[0-9]{12,20}(?:/[0-9]{12,20})?:[a-f0-9]{32}'),
  prefixed('airtable_token', 'pat', String.raw`[A-Za-z0-9]{14}\.[a-f0-9]{64}`),
  near('airtable_classic_key', 'airtable', 'key[A-Za-z0-9]{14}'),
  prefixed('typeform_token', 'tfp_', `${word}{40,60}`),
  prefixed('readme_api_key', 'rdme_', '[a-z0-9]{60,80}'),
  prefixed('contentful_token', 'CFPAT-', `${word}{43}`),
  prefixed('wakatime_key', 'waka_', uuid),
  prefixed('mapbox_secret_token', 'sk.eyJ', String.raw`${word}{40,200}\.${word}{20,40}`),
  near('algolia_api_key', 'algolia', '[a-f0-9]{32}'),
];

/** Credentials of code hosts, package registries, builders, vaults, monitors and other tools. */
export const developerSecrets: readonly SecretRule[] = [
  ...hosts,
  ...registries,
  ...builders,
  ...vaults,
  ...monitors,
  ...tools,
];
