/** A source of the machine's Debian packages. */
export interface AptMirror {
  readonly uri: string;
  /** Path of the keys that sign it, when the setting names one. */
  readonly signedBy: string | undefined;
}

/**
 * The mirror that serves `codename` according to the text of an apt source file: of the one-line
 * style (`sources.list`) or of the stanza style (`*.sources`). Undefined when it names none.
 */
export function mirrorOf(text: string, codename: string): AptMirror | undefined {
  return /^\s*(?:deb|deb-src)\s/m.test(text)
    ? oneLineMirror(text, codename)
    : stanzaMirror(text, codename);
}

/** A source list of one suite at the mirror. */
export function sourceList(mirror: AptMirror, suite: string, keyring: string | undefined): string {
  const signedBy = keyring ?? mirror.signedBy;
  return [
    'Types: deb',
    `URIs: ${mirror.uri}`,
    `Suites: ${suite}`,
    'Components: main',
    ...(signedBy === undefined ? [] : [`Signed-By: ${signedBy}`]),
    '',
  ].join('\n');
}

function oneLineMirror(text: string, codename: string): AptMirror | undefined {
  for (const line of text.split('\n')) {
    const found = /^\s*deb\s+(?:\[([^\]]*)\]\s+)?(\S+)\s+(\S+)\s/.exec(`${line} `);
    if (found?.[2] === undefined || found[3] !== codename) continue;
    return { uri: found[2], signedBy: keyPath(/signed-by=(\S+)/i.exec(found[1] ?? '')?.[1]) };
  }
  return undefined;
}

function stanzaMirror(text: string, codename: string): AptMirror | undefined {
  const plain = text.replaceAll(/^#.*\n?/gm, '');
  for (const stanza of plain.split(/\n\s*\n/)) {
    const field = (name: string) =>
      fieldPattern[name as keyof typeof fieldPattern].exec(stanza)?.[1]?.trim().split(/\s+/) ?? [];
    const uri = field('uris')[0];
    if (uri === undefined || field('enabled')[0] === 'no') continue;
    if (!field('types').includes('deb') || !field('suites').includes(codename)) continue;
    return { uri, signedBy: keyPath(field('signedBy')[0]) };
  }
  return undefined;
}

const fieldPattern = {
  types: /^Types:(.*)$/im,
  uris: /^URIs:(.*)$/im,
  suites: /^Suites:(.*)$/im,
  signedBy: /^Signed-By:(.*)$/im,
  enabled: /^Enabled:(.*)$/im,
};

/** The setting may hold a fingerprint or a whole key instead: those are not taken over. */
function keyPath(value: string | undefined): string | undefined {
  return value?.startsWith('/') ? value : undefined;
}
