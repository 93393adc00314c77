const emailPattern = /^[^\s@]+@[^\s@]+$/;
const emailLengthMax = 254;
const unwritable = /[\p{Cc}\p{Cs}]/u;

/** True for a text that a letter could be sent to; whether it arrives is not known. */
export function isEmail(text: string): boolean {
  return text.length <= emailLengthMax && emailPattern.test(text) && !unwritable.test(text);
}
