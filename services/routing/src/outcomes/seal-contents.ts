import { type KeyManagement, type Owner, seal } from '@sluice/envelope';
import { type Contents, encodeContents } from '@sluice/generation-contents';
import type { GenerationEnded_SealedContents } from '@sluice/protos/sluice/generation/v1/generation_events';

/** Seals contents for their owner. Throws if the keys are away. */
export async function sealContents(
  keys: KeyManagement,
  owner: Owner,
  contents: Contents,
): Promise<GenerationEnded_SealedContents> {
  const { keyVersion, wrappedKey, ciphertext } = await seal(keys, owner, encodeContents(contents));
  return { keyVersion, wrappedKey: Buffer.from(wrappedKey), ciphertext: Buffer.from(ciphertext) };
}
