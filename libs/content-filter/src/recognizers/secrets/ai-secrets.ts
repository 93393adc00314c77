import { isRandom } from './entropy.ts';
import { near, prefixed, type SecretRule, uuid } from './secret-rules.ts';

const word = String.raw`[\w-]`;

/** Credentials of model providers and of tools around models. */
export const aiSecrets: readonly SecretRule[] = [
  prefixed('openai_classic_key', 'sk-', '[A-Za-z0-9]{20}T3BlbkFJ[A-Za-z0-9]{20}'),
  prefixed('openai_project_key', 'sk-proj-', `${word}{20,200}`),
  prefixed('openai_service_account_key', ['sk-svcacct-', 'sk-service-'], `${word}{20,200}`),
  prefixed('openai_admin_key', 'sk-admin-', `${word}{20,200}`),
  prefixed('anthropic_api_key', 'sk-ant-api', `[0-9]{2}-${word}{20,120}`),
  prefixed('anthropic_admin_key', 'sk-ant-admin', `[0-9]{2}-${word}{20,120}`),
  prefixed(
    'anthropic_oauth_token',
    ['sk-ant-oat', 'sk-ant-ort', 'sk-ant-sid'],
    `[0-9]{2}-${word}{20,140}`,
  ),
  prefixed('openrouter_api_key', 'sk-or-', 'v1-[a-f0-9]{64}'),
  prefixed('langfuse_secret_key', 'sk-lf-', uuid),
  prefixed('helicone_api_key', 'sk-helicone-', `${word}{20,60}`),
  prefixed('model_provider_key', 'sk-', '[A-Za-z0-9]{24,64}', { isValid: isRandomKey }),
  prefixed('groq_api_key', 'gsk_', '[A-Za-z0-9]{40,60}'),
  prefixed('huggingface_token', ['hf_', 'api_org_'], '[A-Za-z0-9]{34,40}'),
  prefixed('replicate_api_token', 'r8_', '[A-Za-z0-9]{37,40}'),
  prefixed('perplexity_api_key', 'pplx-', '[A-Za-z0-9]{40,60}'),
  prefixed('xai_api_key', 'xai-', '[A-Za-z0-9]{70,90}'),
  prefixed('cerebras_api_key', 'csk-', '[a-z0-9]{40,60}'),
  prefixed('nvidia_api_key', 'nvapi-', `${word}{60,70}`),
  prefixed('fireworks_api_key', 'fw_', '[A-Za-z0-9]{22,24}', { isValid: isRandomKey }),
  prefixed('together_api_key', 'tgp_v1_', `${word}{40,60}`),
  near('together_classic_key', 'together', '[a-f0-9]{64}'),
  near('mistral_api_key', 'mistral', '[A-Za-z0-9]{32}'),
  near('cohere_api_key', ['cohere', 'co_api'], '[A-Za-z0-9]{40}'),
  near('deepgram_api_key', 'deepgram', '[a-f0-9]{40}'),
  near('assemblyai_api_key', 'assemblyai', '[a-f0-9]{32}'),
  prefixed('elevenlabs_api_key', 'sk_', '[a-f0-9]{48}'),
  prefixed('pinecone_api_key', 'pcsk_', `${word}{50,80}`),
  near('pinecone_classic_key', 'pinecone', uuid),
  prefixed('langsmith_api_key', ['lsv2_pt_', 'lsv2_sk_'], '[a-f0-9]{32}_[a-f0-9]{10}'),
  prefixed('wandb_api_key', 'wandb_v1_', `${word}{40,90}`),
  near('wandb_classic_key', ['wandb', 'weights & biases'], '[a-f0-9]{40}'),
  prefixed('tavily_api_key', 'tvly-', '(?:dev-|prod-)?[A-Za-z0-9-]{32,60}'),
  prefixed('firecrawl_api_key', 'fc-', '[a-f0-9]{32}'),
  prefixed('voyage_api_key', ['pa-', 'al-'], '[A-Za-z0-9_-]{43}', { isValid: isRandomKey }),
  prefixed('jina_api_key', 'jina_', '[A-Za-z0-9_-]{60}'),
  prefixed('runpod_api_key', 'rpa_', '[A-Z0-9]{36,50}'),
  prefixed('friendli_token', 'flp_', '[A-Za-z0-9]{30,60}'),
];

/** A short beginning stands before many words: what follows has letters and digits. */
function isRandomKey(_secret: string, { body = '' }: Readonly<Record<string, string | undefined>>) {
  return isRandom(body.replaceAll(/12345|abcdef/giu, '1a'));
}
