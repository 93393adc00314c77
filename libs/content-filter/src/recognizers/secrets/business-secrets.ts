import { isRandom, isVaried } from './entropy.ts';
import { end, marked, near, prefixed, scores, type SecretRule, uuid } from './secret-rules.ts';

const word = String.raw`[\w-]`;

/** A webhook's address is the credential: the span is its path. */
function webhook(kind: string, host: string, path: string): SecretRule {
  const source = host.replaceAll('.', String.raw`\.`);
  return {
    kind,
    gate: [host],
    pattern: new RegExp(String.raw`(?<![A-Za-z0-9-])${source}/(?<secret>${path})${end}`, 'uy'),
    score: scores.prefix,
    isValid: isRandom,
  };
}

const messengers: readonly SecretRule[] = [
  prefixed('slack_bot_token', 'xoxb-', '[0-9]{8,14}-[A-Za-z0-9-]{16,80}'),
  prefixed('slack_user_token', 'xoxp-', '[0-9]{8,14}-[A-Za-z0-9-]{20,120}'),
  prefixed('slack_app_token', 'xapp-', '[0-9]-[A-Z0-9]{8,14}-[0-9]{8,16}-[a-z0-9]{32,80}'),
  prefixed(
    'slack_session_token',
    ['xoxa-', 'xoxc-', 'xoxd-', 'xoxr-', 'xoxs-', 'xoxo-'],
    '[A-Za-z0-9%-]{20,240}',
  ),
  prefixed(
    'slack_refresh_token',
    ['xoxe-', 'xoxe.xoxb-', 'xoxe.xoxp-'],
    '[0-9]-[A-Za-z0-9-]{40,240}',
  ),
  webhook(
    'slack_webhook',
    'hooks.slack.com',
    '(?:services|workflows|triggers)/[A-Z0-9]{8,13}/[A-Z0-9]{8,20}/[A-Za-z0-9/]{16,60}',
  ),
  webhook(
    'discord_webhook',
    'discord.com',
    String.raw`api/(?:v[0-9]{1,2}/)?webhooks/[0-9]{17,20}/[\w-]{60,80}`,
  ),
  webhook(
    'discord_classic_webhook',
    'discordapp.com',
    String.raw`api/(?:v[0-9]{1,2}/)?webhooks/[0-9]{17,20}/[\w-]{60,80}`,
  ),
  marked(
    'discord_bot_token',
    ['.g', '.x', '.y', '.z'],
    String.raw`[MNO][A-Za-z0-9][\w-]{22,26}`,
    String.raw`\.[GXYZ][\w-]{5}\.[\w-]{27,38}(?![\w-])`,
  ),
  webhook(
    'teams_webhook',
    'webhook.office.com',
    `webhookb2/${uuid}@${uuid}/IncomingWebhook/[a-f0-9]{32}/${uuid}`,
  ),
  {
    kind: 'telegram_bot_token',
    gate: [':aa'],
    pattern: /(?<=(?:(?<![A-Za-z0-9])|(?<=\/bot))(?<left>[0-9]{8,10})):AA[\w-]{33}(?![\w-])/uy,
    score: scores.prefix,
    isValid: isVaried,
  },
  near('zoom_secret', 'zoom', '[A-Za-z0-9]{32,36}'),
];

const payments: readonly SecretRule[] = [
  prefixed('stripe_live_key', 'sk_live_', '[A-Za-z0-9]{16,247}'),
  prefixed('stripe_test_key', 'sk_test_', '[A-Za-z0-9]{16,247}'),
  prefixed('stripe_restricted_key', ['rk_live_', 'rk_test_'], '[A-Za-z0-9]{16,247}'),
  prefixed('stripe_webhook_secret', 'whsec_', '[A-Za-z0-9+/]{24,80}={0,2}'),
  prefixed('square_access_token', ['EAAA', 'sq0atp-'], '[A-Za-z0-9_-]{22,60}', {
    isValid: (secret, { body = '' }) => isRandom(body) && /^sq0atp-.{22}$|^.{64}$/u.test(secret),
  }),
  prefixed('square_oauth_secret', 'sq0csp-', `${word}{43}`),
  prefixed(
    'braintree_access_token',
    'access_token$',
    String.raw`(?:production|sandbox)\$[a-z0-9]{16}\$[a-f0-9]{32}`,
  ),
  near('paypal_secret', ['paypal', 'braintree'], String.raw`E[\w-]{79}|[a-f0-9]{32}`),
  prefixed(
    'adyen_api_key',
    'AQE',
    '[A-Za-z0-9+/]{60,200}={0,2}-[A-Za-z0-9+/]{40,60}={0,2}-.{10,20}',
  ),
  prefixed('plaid_access_token', 'access-', `(?:sandbox|development|production)-${uuid}`),
  near('plaid_secret', 'plaid', '[a-f0-9]{30}'),
  prefixed('razorpay_key', ['rzp_live_', 'rzp_test_'], '[A-Za-z0-9]{14}'),
  prefixed('flutterwave_secret', ['FLWSECK-', 'FLWSECK_TEST-'], '[A-Za-z0-9]{12,40}(?:-X)?'),
  prefixed('mollie_key', ['live_', 'test_'], '[A-Za-z0-9]{30}', {
    isValid: (_secret, { body = '' }) => isRandom(body) && /[A-Z]/u.test(body),
  }),
  prefixed('easypost_key', ['EZAK', 'EZTK'], '[A-Za-z0-9]{54}'),
  prefixed('shippo_token', ['shippo_live_', 'shippo_test_'], '[a-f0-9]{40}'),
  near('coinbase_secret', 'coinbase', '[A-Za-z0-9]{32,64}'),
  near('binance_secret', 'binance', '[A-Za-z0-9]{64}'),
];

const mails: readonly SecretRule[] = [
  prefixed('twilio_api_key', 'SK', '[a-f0-9]{32}'),
  near('twilio_auth_token', 'twilio', '[a-f0-9]{32}'),
  prefixed('sendgrid_api_key', 'SG.', String.raw`[\w-]{20,24}\.[\w-]{39,50}`),
  prefixed('mailgun_api_key', 'key-', '[a-f0-9]{32}'),
  near('mailgun_private_key', 'mailgun', '[a-f0-9]{32}-[a-f0-9]{8}-[a-f0-9]{8}'),
  marked('mailchimp_api_key', '-us', '[a-f0-9]{32}', `-us[0-9]{1,2}${end}`),
  prefixed('mandrill_api_key', 'md-', `${word}{22}`, {
    isValid: (_secret, { body = '' }) => isRandom(body) && /[A-Z]/u.test(body),
  }),
  near('postmark_token', 'postmark', uuid),
  prefixed('brevo_api_key', ['xkeysib-', 'xsmtpsib-'], '[a-f0-9]{64}-[A-Za-z0-9]{16}'),
  prefixed('resend_api_key', 're_', '[A-Za-z0-9]{8}_[A-Za-z0-9]{24}', {
    isValid: (_secret, { body = '' }) => isRandom(body),
  }),
  prefixed('klaviyo_private_key', 'pk_', '[a-f0-9]{34}'),
];

const shops: readonly SecretRule[] = [
  prefixed('shopify_access_token', ['shpat_', 'shpca_', 'shppa_', 'shptka_'], '[a-fA-F0-9]{32}'),
  prefixed('shopify_shared_secret', 'shpss_', '[a-fA-F0-9]{32}'),
  prefixed('hubspot_token', ['pat-na', 'pat-eu'], `[0-9]-${uuid}`),
  near('hubspot_classic_key', ['hubspot', 'hapikey'], uuid, { isOwnerEnough: true }),
  marked('salesforce_token', '!aq', '00D[A-Za-z0-9]{12,15}', String.raw`!AQ[\w.]{78,120}${end}`),
  near('zendesk_token', 'zendesk', '[A-Za-z0-9]{40}'),
  near('segment_key', 'segment', '[A-Za-z0-9]{32}'),
  prefixed('zoho_token', '1000.', String.raw`[a-f0-9]{32}\.[a-f0-9]{32}`),
  webhook('zapier_webhook', 'hooks.zapier.com', 'hooks/catch/[0-9]{4,12}/[a-z0-9]{5,16}'),
  prefixed('dropbox_token', ['sl.'], String.raw`(?:u\.)?[\w-]{100,1600}`),
  near('dropbox_app_secret', 'dropbox', '[a-z0-9]{15}'),
];

const people: readonly SecretRule[] = [
  prefixed('facebook_access_token', 'EAA', '[A-Za-z0-9]{80,400}', {
    isValid: (_secret, { body = '' }) => isRandom(body),
  }),
  near('facebook_app_secret', ['facebook', 'fb_app'], '[a-f0-9]{32}'),
  prefixed('instagram_token', 'IGQV', '[A-Za-z0-9_-]{100,400}'),
  prefixed('twitter_bearer_token', 'AAAAAAAAAAAAAAAAAAAAA', '[A-Za-z0-9%]{60,120}', {
    isValid: (_secret, { body = '' }) => isRandom(body.replace(/^A+/u, '')),
  }),
  near('twitter_secret', ['twitter', 'x_api'], '[A-Za-z0-9]{45,50}'),
  near('linkedin_secret', 'linkedin', '[A-Za-z0-9]{16}|WPL_AP[01].[A-Za-z0-9.+/=]{16,40}'),
  near('spotify_secret', 'spotify', '[a-f0-9]{32}'),
  near('twitch_secret', 'twitch', '[a-z0-9]{30}'),
  near('okta_api_token', ['okta', 'ssws'], String.raw`00[\w-]{40}`, { isOwnerEnough: true }),
  near('auth0_client_secret', 'auth0', String.raw`[\w-]{64}`),
];

/** Credentials of messengers, payments, mail, shops and networks. */
export const businessSecrets: readonly SecretRule[] = [
  ...messengers,
  ...payments,
  ...mails,
  ...shops,
  ...people,
];
