const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** The number in base 62, padded with zeros to `length`; the caller chooses a length that fits. */
export function base62(value: bigint | number, length: number): string {
  return typeof value === 'bigint' ? ofBig(value, length) : ofSafe(value, length);
}

function ofBig(value: bigint, length: number): string {
  let text = '';
  for (let rest = value; text.length < length; rest /= 62n)
    text = digits[Number(rest % 62n)] + text;
  return text;
}

function ofSafe(value: number, length: number): string {
  let text = '';
  for (let rest = value; text.length < length; rest = Math.floor(rest / 62))
    text = digits[rest % 62] + text;
  return text;
}
