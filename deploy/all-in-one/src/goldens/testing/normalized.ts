/**
 * Replaces what differs between two runs, and nothing else: each id that Sluice or the simulator made by the
 * place in which it first appears (so two that were equal still are), durations, the port, the places of a replica,
 * and the digest of the key.
 */
export function normalized(text: string, secrets: Readonly<Record<string, string>>): string {
  const known = new Map<string, string>();
  const byPlace = (name: string) => (id: string) => {
    const found = known.get(id) ?? `<${name} ${known.size + 1}>`;
    known.set(id, found);
    return found;
  };
  const out = text
    .replaceAll(/00000000-0000-7000-8000-[0-9]{12}/g, byPlace('id'))
    .replaceAll(/sim[-_]?[0-9a-f]{24}/g, byPlace('sim'))
    .replaceAll(/(?<=(?:call|toolu)_)[0-9a-f]{8}(?=_\d)/g, byPlace('call'))
    .replaceAll(/(?<=ws_)[0-9a-f]{12}(?=_\d)/g, byPlace('search'))
    .replaceAll(/svc_file_[0-9a-f]{32}/g, byPlace('file'))
    // A call that its provider gave no id.
    .replaceAll(/(?<=call_)[0-9a-f]{32}/g, byPlace('call'))
    .replaceAll(/127\.0\.0\.1:[0-9]+/g, '<upstream>')
    // An attempt of less than a millisecond has no latency at all.
    .replaceAll(/,\n {3,}"latencyMs": "[0-9]+"/g, '')
    .replaceAll(/("(?:generation_time|latencyMs)": ?"?)[0-9]+/g, '$1<ms>')
    .replaceAll(/("(?:epoch|sequence|leaseEpoch)": ?"?)[0-9]+/g, '$1<n>')
    .replaceAll(/("\w*[lL]easeNumbers?": ?)(\[[^\]]*\]|"[0-9]+")/g, '$1<leases>');
  return Object.entries(secrets).reduce((all, [secret, name]) => all.replaceAll(secret, name), out);
}

/** JSON in lines, where that says the same: compact JSON that a reader would write byte for byte. */
export function inLines(text: string): string {
  try {
    const value: unknown = JSON.parse(text);
    return JSON.stringify(value) === text ? JSON.stringify(value, undefined, 1) : text;
  } catch {
    return text;
  }
}
