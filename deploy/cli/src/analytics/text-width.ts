/** Controls, marks of direction, halves of characters, and what makes a character wider. */
const invisible = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\u{FE0F}]/gu;
const wideLetter =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Bopomofo}\p{sc=Yi}]/u;
const wideSign = /[\p{Emoji_Presentation}\u3000-\u303E\uFF01-\uFF60\uFFE0-\uFFE6]/u;
const mark = /\p{M}/u;

/** Removes what would steer a terminal or reach into other lines. */
export function visible(text: string): string {
  return text.replaceAll(invisible, '').replaceAll(/(\p{M}{2})\p{M}+/gu, '$1');
}

function charWidth(char: string): number {
  if (mark.test(char)) return 0;
  return wideLetter.test(char) || wideSign.test(char) ? 2 : 1;
}

/** Returns the columns of a terminal that a visible text takes. */
export function widthOf(text: string): number {
  let width = 0;
  for (const char of text) width += charWidth(char);
  return width;
}

/** Cuts a visible text to a width. A text that is cut ends with an ellipsis. */
export function cutTo(text: string, widthMax: number): string {
  if (widthOf(text) <= widthMax) return text;
  let kept = '';
  let width = 1;
  for (const char of text) {
    width += charWidth(char);
    if (width > widthMax) break;
    kept += char;
  }
  return widthMax < 1 ? '' : `${kept}…`;
}

export const padTo = (text: string, width: number) =>
  text + ' '.repeat(Math.max(0, width - widthOf(text)));
