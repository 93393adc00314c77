const secondMs = 1_000;

/** The last second that was asked for: an instant is mostly in the same one, or in the next. */
const last = { second: Number.NaN, text: '' };

/** As toISOString: `2026-11-18T12:00:00.000Z`. That one works out the date each time. */
export function instantText(instant: Date): string {
  const ms = instant.getTime();
  const second = Math.floor(ms / secondMs);
  if (second !== last.second) {
    last.text = instant.toISOString().slice(0, -'000Z'.length);
    last.second = second;
  }
  return `${last.text}${String(secondMs + ms - second * secondMs).slice(1)}Z`;
}
