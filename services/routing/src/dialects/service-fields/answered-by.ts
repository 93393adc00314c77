interface Said {
  readonly role?: unknown;
  readonly model?: unknown;
}

/** Returns the model that the last message of the assistant names; undefined: it names none, or there is none. */
export function answeredBy(messages: readonly object[] | string | null | undefined) {
  if (!Array.isArray(messages)) return {};
  const said = messages as readonly Said[];
  const model = said.findLast(({ role }) => role === 'assistant')?.model;
  return typeof model === 'string' && model !== '' ? { answeredBy: model } : {};
}
