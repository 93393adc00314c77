import type { ErrorCode } from '@sluice/errors';
import { namesOverflow, tellsOverflow } from './context-overflow.ts';

/** The providers' codes for requests that they refuse, as codes of Sluice. */
const codes: ReadonlyMap<string, ErrorCode> = new Map<string, ErrorCode>([
  ['context_length_exceeded', 'context_length_exceeded'],
  ['string_above_max_length', 'string_too_long'],
  ['content_filter', 'content_policy_violation'],
  ['content_policy_violation', 'content_policy_violation'],
  ['image_content_policy_violation', 'content_policy_violation'],
  ['moderation_blocked', 'content_policy_violation'],
  ['bio_policy', 'content_policy_violation'],
  ['cyber_policy', 'content_policy_violation'],
  ['misalignment_policy_violation', 'content_policy_violation'],
  ['invalid_image', 'invalid_image'],
  ['invalid_base64_image', 'invalid_image'],
  ['invalid_image_mode', 'invalid_image'],
  ['image_parse_error', 'invalid_image'],
  ['empty_image_file', 'invalid_image'],
  ['invalid_image_format', 'unsupported_image_format'],
  ['unsupported_image_media_type', 'unsupported_image_format'],
  ['image_too_large', 'image_too_large'],
  ['image_file_too_large', 'image_too_large'],
  ['image_too_small', 'image_too_small'],
  ['failed_to_download_image', 'image_download_failed'],
  ['invalid_image_url', 'image_download_failed'],
  ['image_file_not_found', 'image_not_found'],
]);

/** Message texts of refusals. Few providers have a code for every reason, but all send a message. */
const sayings: readonly (readonly [RegExp, ErrorCode])[] = [
  [/could not process image|unable to process input image/i, 'invalid_image'],
  [/image (?:dimensions )?exceeds? .{0,60}max/i, 'image_too_large'],
  [/(?:unable|failed) to download the (?:file|image)/i, 'image_download_failed'],
];
const messageCharactersMax = 2_000;

/**
 * Returns the reason why a provider refuses a request, from its code or its message. Returns undefined if unknown.
 */
export function requestFault(word: string | undefined, message: unknown): ErrorCode | undefined {
  const known = word === undefined ? undefined : codes.get(word);
  if (known) return known;
  if (word !== undefined && namesOverflow(word)) return 'context_length_exceeded';
  if (typeof message !== 'string') return undefined;
  const said = message.slice(0, messageCharactersMax);
  const meant = sayings.find(([pattern]) => pattern.test(said))?.[1];
  return meant ?? (tellsOverflow(said) ? 'context_length_exceeded' : undefined);
}
