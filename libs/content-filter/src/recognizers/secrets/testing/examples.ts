/** A text with a credential. */
export interface SecretExample {
  readonly text: string;
  readonly secret: string;
}

/** Drawn anew in each run: no credential stands in the sources. */
export interface RuleExamples {
  readonly kind: string;
  readonly hits: readonly SecretExample[];
  readonly misses: readonly string[];
}

const digits = '0123456789';
const small = 'abcdefghijklmnopqrstuvwxyz';
const alphabets: Readonly<Record<string, string>> = {
  a: `${digits}${small}${small.toUpperCase()}`,
  b: `${digits}${small}${small.toUpperCase()}`,
  d: digits,
  g: `${small}${digits}`,
  h: `${digits}abcdef`,
  k: 'QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L',
  t: 'abcdefghijklmnopqrstuvwxyz234567',
  u: `${digits}${small.toUpperCase()}`,
};

/** Returns characters that look drawn by chance, the same for the same seed. */
export function fill(length: number, seed: number, alphabet = alphabets['a'] ?? ''): string {
  let state = (seed * 2_654_435_761 + length) >>> 0;
  let text = '';
  for (let index = 0; index < length; index++) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    text += alphabet[Math.floor((state / 2 ** 32) * alphabet.length)] ?? '';
  }
  return text;
}

const uuidParts = [8, 4, 4, 4, 12];

type Filler = (length: number, letter: string, seed: number) => string;

/** `{a24}` is filled, `{id}` is a UUID. */
function drawn(template: string, seed: number, filler: Filler): string {
  let place = seed * 1_000;
  const next = (length: number, letter: string) => filler(length, letter, ++place);
  const part = /\{(?:(id)|([a-z])([0-9]{1,4}))\}/gu;
  return template.replaceAll(part, (_all, id, letter, length) => {
    if (id) return (filler === cut ? [8] : uuidParts).map((count) => next(count, 'h')).join('-');
    return next(Number(length), String(letter));
  });
}

const random: Filler = (length, letter, seed) => fill(length, seed, alphabets[letter]);
const cut: Filler = (length, letter, seed) => random(Math.min(length, 3), letter, seed);
const masked: Filler = (length) => 'x'.repeat(length);

/** Returns true examples and near misses of a rule: a credential that is cut, and one that is masked. */
function examplesOf(kind: string, template: string): RuleExamples {
  const [before = '', secret = template, after = ''] = template.includes('«')
    ? template.split(/[«»]/u)
    : ['', template];
  const around = (body: string) => `${before}${body}${after}`;
  const hits = [1, 2, 3].map((seed) => {
    const body = drawn(secret, seed, random);
    const text = drawn(around('\0'), seed + 50, random).replace('\0', () => body);
    return { text: seed === 2 ? `see: ${text}\nnext` : text, secret: body };
  });
  const misses = [cut, masked].map((filler) => drawn(around(secret), 5, filler));
  return { kind, hits, misses };
}

/** A kind and its template, where « » are around a part that is the secret; `§` stands for a dollar sign. */
const table = String.raw`openai_classic_key sk-{a20}T3BlbkFJ{a20} ¦ openai_project_key sk-proj-{a120}
openai_service_account_key sk-svcacct-{a110} ¦ openai_admin_key sk-admin-{a90}
anthropic_api_key sk-ant-api03-{a93}AA ¦ anthropic_admin_key sk-ant-admin01-{a93}AA
anthropic_oauth_token sk-ant-oat01-{a93}AA ¦ openrouter_api_key sk-or-v1-{h64}
langfuse_secret_key sk-lf-{id} ¦ helicone_api_key sk-helicone-{a28} ¦ model_provider_key sk-{h32}
groq_api_key gsk_{a52} ¦ huggingface_token hf_{a34} ¦ replicate_api_token r8_{a37}
perplexity_api_key pplx-{a48} ¦ xai_api_key xai-{a80} ¦ cerebras_api_key csk-{g48}
nvidia_api_key nvapi-{a64} ¦ fireworks_api_key fw_{a24} ¦ together_api_key tgp_v1_{a43}
together_classic_key TOGETHER_API_KEY=«{h64}» ¦ mistral_api_key MISTRAL_API_KEY=«{a32}»
cohere_api_key "cohere_api_key": "«{a40}»" ¦ deepgram_api_key deepgram key: «{h40}»
assemblyai_api_key ASSEMBLYAI_API_KEY=«{h32}» ¦ elevenlabs_api_key sk_{h48}
pinecone_api_key pcsk_{a6}_{a60} ¦ pinecone_classic_key PINECONE_API_KEY=«{id}»
langsmith_api_key lsv2_pt_{h32}_{h10} ¦ wandb_api_key wandb_v1_{a60}
wandb_classic_key WANDB_API_KEY=«{h40}» ¦ tavily_api_key tvly-{a32} ¦ firecrawl_api_key fc-{h32}
voyage_api_key pa-{a43} ¦ jina_api_key jina_{a60} ¦ runpod_api_key rpa_{u40}
friendli_token flp_{a46} ¦ aws_access_key_id AKIA{k16}
aws_secret_access_key aws_secret_access_key = «{a40}»
aws_session_token aws_session_token="«{a360}==»" ¦ aws_bedrock_api_key ABSK{a128}
aws_bedrock_short_lived_key bedrock-api-key-{a300} ¦ aws_mws_token amzn.mws.{id}
aws_cognito_client_secret amzn1.oa2-cs.v1.{h64} ¦ gcp_api_key AIza{a35}
gcp_bound_api_key AQ.Ab{a48} ¦ gcp_service_account_key_id "private_key_id": "«{h40}»"
google_oauth_client_secret GOCSPX-{a28} ¦ google_oauth_access_token ya29.{a120}
google_oauth_refresh_token 1//0{a60} ¦ azure_account_key AccountName=a;AccountKey=«{a86}==»
azure_storage_key AZURE_STORAGE_KEY="«{a86}==»"
azure_sas_token https://a.blob.core.windows.net/b?sv=2024-01-01&sp=r&sig=«{a43}%3D»
azure_ad_client_secret {a3}8Q~{a34} ¦ azure_storage_account_key {a76}+ASt{a6}==
azure_cosmos_key {a76}ACDb{a6}== ¦ azure_search_key {a42}AzSe{a6}
azure_function_key {a44}AzFu{a5}Q== ¦ azure_devops_token {a76}AZDO{a4}
azure_devops_classic_token AZURE_DEVOPS_PAT=«{t52}» ¦ azure_api_key AZURE_OPENAI_API_KEY=«{h32}»
alibaba_access_key_id LTAI{a20} ¦ alibaba_access_key_secret ALIYUN_ACCESS_KEY_SECRET=«{a30}»
tencent_secret_id AKID{a32} ¦ ibm_cloud_api_key IBMCLOUD_API_KEY=«{a44}»
yandex_cloud_key AQVN{a36} ¦ digitalocean_token dop_v1_{h64} ¦ digitalocean_spaces_key DO00{u16}
heroku_api_key HRKU-AA{a58} ¦ heroku_api_key_uuid HEROKU_API_KEY=«{id}»
cloudflare_api_token CLOUDFLARE_API_TOKEN=«{a40}» ¦ cloudflare_global_key X-Auth-Key: «{h37}»
cloudflare_origin_ca_key v1.0-{h24}-{h146} ¦ fastly_api_token Fastly-Key: «{a32}»
fly_api_token fm2_{a200} ¦ vercel_token vcp_{a56} ¦ vercel_classic_token VERCEL_TOKEN=«{a24}»
netlify_token nfp_{a40} ¦ netlify_classic_token NETLIFY_AUTH_TOKEN=«{a43}»
render_api_key rnd_{a28} ¦ railway_token RAILWAY_TOKEN=«{id}» ¦ linode_token LINODE_TOKEN=«{h64}»
hetzner_token HCLOUD_TOKEN=«{a64}» ¦ scaleway_secret_key SCW_SECRET_KEY=«{id}»
vultr_api_key VULTR_API_KEY=«{u36}» ¦ supabase_token sbp_{h40}
supabase_secret_key sb_secret_{a22}_{a8} ¦ planetscale_token pscale_tkn_{a43}
neon_api_key napi_{g64} ¦ databricks_token dapi{h32} ¦ snowflake_password SNOWFLAKE_PASSWORD=«{a16}»
aiven_token AVNS_{a19} ¦ confluent_secret CONFLUENT_API_SECRET=«{a64}»
mongodb_atlas_key MONGODB_ATLAS_PRIVATE_KEY=«{id}» ¦ elastic_api_key ELASTIC_API_KEY=«{a58}==»
tigris_secret_key tsec_{a60} ¦ github_token ghp_{a36}
github_fine_grained_token github_pat_{a22}_{a59} ¦ gitlab_personal_token glpat-{a20}
gitlab_deploy_token gldt-{a20} ¦ gitlab_runner_token glrt-{a20}
gitlab_runner_registration_token GR1348941{a20} ¦ gitlab_job_token glcbt-{a20}
gitlab_trigger_token glptt-{h40} ¦ gitlab_feed_token glft-{a20} ¦ gitlab_mail_token glimt-{a25}
gitlab_agent_token glagent-{a50} ¦ gitlab_oauth_secret gloas-{h64} ¦ gitlab_scim_token glsoat-{a20}
gitlab_feature_flag_token glffct-{a20} ¦ bitbucket_app_password ATBB{a32}
atlassian_api_token ATATT3xFfG{a180} ¦ atlassian_classic_token JIRA_API_TOKEN=«{a24}»
sourcegraph_token sgp_{h40} ¦ npm_token npm_{a36}
npm_auth_token //registry.example/:_authToken=«{id}» ¦ pypi_token pypi-AgEIcHlwaS5vcmc{a160}
rubygems_api_key rubygems_{h48} ¦ crates_io_token cio{a32} ¦ nuget_api_key oy2{g43}
docker_hub_token dckr_pat_{a27} ¦ clojars_token CLOJARS_{h60} ¦ artifactory_token AKCp{a69}
postman_api_key PMAK-{h24}-{h34} ¦ circleci_token CCIPAT_{a22}_{h40}
circleci_classic_token CIRCLE_TOKEN=«{h40}» ¦ buildkite_token bkua_{h40}
travis_token TRAVIS_TOKEN=«{a22}» ¦ sonar_token squ_{h40} ¦ snyk_token SNYK_TOKEN=«{id}»
codecov_token CODECOV_TOKEN=«{id}» ¦ pulumi_token pul-{h40} ¦ harness_token pat.{a22}.{h24}.{a20}
prefect_token pnu_{a36} ¦ tailscale_key tskey-auth-{a12}-{a32}
ngrok_token NGROK_AUTHTOKEN=«{a27}_{a21}» ¦ jetbrains_token perm-{a16}.{a24}.{a40}
vault_service_token hvs.{a90} ¦ vault_batch_token hvb.{a140} ¦ vault_recovery_token hvr.{a90}
vault_classic_token VAULT_TOKEN=«s.{a24}» ¦ terraform_token {a14}.atlasv1.{a67}
doppler_token dp.pt.{a43} ¦ onepassword_service_token ops_eyJ{a400}
onepassword_secret_key A3-{u6}-{u11}-{u5}-{u5}-{u5} ¦ age_secret_key AGE-SECRET-KEY-1{k58}
bitwarden_secret BITWARDEN_ACCESS_TOKEN=«0.{id}.{a30}:{a22}==» ¦ datadog_api_key DD_API_KEY=«{h32}»
datadog_application_key DD_APP_KEY=«{h40}» ¦ new_relic_user_key NRAK-{u27}
new_relic_insert_key NRII-{a32} ¦ new_relic_browser_key NRJS-{h19} ¦ new_relic_license_key {h36}NRAL
grafana_service_account_token glsa_{a32}_{h8} ¦ grafana_cloud_token glc_eyJ{a120}
grafana_api_key eyJrIjoi{a80} ¦ sentry_organization_token sntrys_eyJ{a160}_{a43}
sentry_user_token sntryu_{h64} ¦ sentry_classic_token SENTRY_AUTH_TOKEN=«{h64}»
pagerduty_api_key PAGERDUTY_API_KEY=«{a20}» ¦ honeycomb_key hcaik_{g58}
dynatrace_token dt0c01.{u24}.{u64} ¦ rollbar_token ROLLBAR_ACCESS_TOKEN=«{h32}»
launchdarkly_key LAUNCHDARKLY_SDK_KEY=«sdk-{id}» ¦ linear_api_key lin_api_{a40}
notion_token ntn_{d11}{a35} ¦ notion_classic_token NOTION_TOKEN=«secret_{a43}»
figma_token figd_{a40} ¦ asana_token 1/{d16}:{h32} ¦ airtable_token pat{a14}.{h64}
airtable_classic_key AIRTABLE_API_KEY=«key{a14}» ¦ typeform_token tfp_{a44}
readme_api_key rdme_{g70} ¦ contentful_token CFPAT-{a43} ¦ wakatime_key waka_{id}
mapbox_secret_token sk.eyJ{a60}.{a22} ¦ algolia_api_key ALGOLIA_ADMIN_KEY=«{h32}»
slack_bot_token xoxb-{d12}-{d13}-{a24} ¦ slack_user_token xoxp-{d12}-{d12}-{d13}-{h32}
slack_app_token xapp-1-A{u10}-{d13}-{h64} ¦ slack_session_token xoxc-{d12}-{d12}-{h64}
slack_refresh_token xoxe-1-{a146}
slack_webhook https://hooks.slack.com/«services/T{u10}/B{u10}/{a24}»
discord_webhook https://discord.com/«api/webhooks/{d18}/{a68}»
discord_classic_webhook https://discordapp.com/«api/webhooks/{d18}/{a68}»
discord_bot_token M{a25}.G{a5}.{a38}
teams_webhook https://a.webhook.office.com/«webhookb2/{id}@{id}/IncomingWebhook/{h32}/{id}»
telegram_bot_token {d10}:AA{a33} ¦ zoom_secret ZOOM_CLIENT_SECRET=«{a32}»
stripe_live_key sk_live_{a24} ¦ stripe_test_key sk_test_{a24} ¦ stripe_restricted_key rk_live_{a24}
stripe_webhook_secret whsec_{a32} ¦ square_access_token EAAA{a60} ¦ square_oauth_secret sq0csp-{a43}
braintree_access_token access_token$production§{g16}§{h32}
paypal_secret PAYPAL_CLIENT_SECRET=«E{a79}» ¦ adyen_api_key AQE{a90}=-{a43}=-{a16}
plaid_access_token access-production-{id} ¦ plaid_secret PLAID_SECRET=«{h30}»
razorpay_key rzp_live_{a14} ¦ flutterwave_secret FLWSECK-{h32}-X ¦ mollie_key live_{a30}
easypost_key EZAK{a54} ¦ shippo_token shippo_live_{h40}
coinbase_secret COINBASE_API_SECRET=«{a32}» ¦ binance_secret BINANCE_SECRET_KEY=«{a64}»
twilio_api_key SK{h32} ¦ twilio_auth_token TWILIO_AUTH_TOKEN=«{h32}»
sendgrid_api_key SG.{a22}.{a43} ¦ mailgun_api_key key-{h32}
mailgun_private_key MAILGUN_API_KEY=«{h32}-{h8}-{h8}» ¦ mailchimp_api_key {h32}-us12
mandrill_api_key md-{a22} ¦ postmark_token POSTMARK_SERVER_TOKEN=«{id}»
brevo_api_key xkeysib-{h64}-{a16} ¦ resend_api_key re_{a8}_{a24} ¦ klaviyo_private_key pk_{h34}
shopify_access_token shpat_{h32} ¦ shopify_shared_secret shpss_{h32} ¦ hubspot_token pat-na1-{id}
hubspot_classic_key HUBSPOT_API_KEY=«{id}» ¦ salesforce_token 00D{a15}!AQ{a90}
zendesk_token ZENDESK_API_TOKEN=«{a40}» ¦ segment_key SEGMENT_WRITE_KEY=«{a32}»
zoho_token 1000.{h32}.{h32} ¦ zapier_webhook https://hooks.zapier.com/«hooks/catch/{d7}/{g8}»
dropbox_token sl.{a140} ¦ dropbox_app_secret DROPBOX_APP_SECRET=«{g15}»
facebook_access_token EAA{a160} ¦ facebook_app_secret FACEBOOK_APP_SECRET=«{h32}»
instagram_token IGQV{a150} ¦ twitter_bearer_token AAAAAAAAAAAAAAAAAAAAA{a80}
twitter_secret TWITTER_API_SECRET=«{a50}» ¦ linkedin_secret LINKEDIN_CLIENT_SECRET=«{a16}»
spotify_secret SPOTIFY_CLIENT_SECRET=«{h32}» ¦ twitch_secret TWITCH_CLIENT_SECRET=«{g30}»
okta_api_token OKTA_API_TOKEN=«00{a40}» ¦ auth0_client_secret AUTH0_CLIENT_SECRET=«{a64}»
url_password postgres://app:«{a16}»@db.local/main
connection_string_password Server=db;User Id=app;Password=«{a14}»;
jdbc_password jdbc:mysql://db/main?user=app&password=«{a14}»
bearer_token Authorization: Bearer «{a40}» ¦ command_password curl -u app:«{a14}» https://db.local
assigned_secret const apiSecret = '«{a24}»';`;

/** Examples of every rule whose credentials are of one line and can be drawn. */
export const ruleExamples: readonly RuleExamples[] = table.split(/ ¦ |\n/u).map((row) => {
  const [kind = '', template = ''] = row.replaceAll('§', '$').split(/ (.*)/u);
  return examplesOf(kind, template);
});
