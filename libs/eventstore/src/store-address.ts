/** The parts of a connection string that say where the store is and how it is entered. */
export interface StoreAddress {
  readonly hosts: readonly StoreHost[];
  /** True when the hosts are asked for the members of the cluster. */
  readonly discovers: boolean;
  readonly credentials: { readonly username: string; readonly password: string } | undefined;
  readonly tls: boolean;
  /** The path of the authority's certificates; undefined means those of Node.js. */
  readonly caFile: string | undefined;
  /** All options, by their names in lower case without `_` and `-`. */
  readonly options: ReadonlyMap<string, string>;
}

export interface StoreHost {
  readonly host: string;
  readonly port: number;
}

const portDefault = 2113;
const portMax = 65_535;
const hostsMax = 64;
const scheme = /^esdb(?<discover>\+discover)?:\/\//;
const userForm = /^(?<user>[^:@/?]+):(?<password>[^@]+)@/;
const placeForm = /^(?<hosts>[^@/?]+)\/*(?:\?(?<options>.*))?$/;
const hostForm = /^(?<host>[\w.-]+)(?::(?<port>\d{1,5}))?$/;

/** Reads a connection string as the official client does. Returns undefined for any other text. */
export function parseStoreAddress(url: string): StoreAddress | undefined {
  const text = url.trim();
  const begins = scheme.exec(text);
  if (!begins) return undefined;
  const rest = text.slice(begins[0].length);
  const user = userForm.exec(rest);
  const place = placeForm.exec(rest.slice(user?.[0].length ?? 0))?.groups;
  const hosts = hostsOf(place?.['hosts'] ?? '');
  const options = optionsOf(place?.['options'] ?? '');
  const credentials = credentialsOf(user?.groups?.['user'], user?.groups?.['password']);
  if (!hosts || !options || credentials === 'malformed') return undefined;
  return {
    hosts,
    discovers: begins.groups?.['discover'] !== undefined || hosts.length > 1,
    credentials,
    tls: options.get('tls') !== 'false',
    caFile: options.get('tlscafile'),
    options,
  };
}

function hostsOf(text: string): readonly StoreHost[] | undefined {
  const hosts: StoreHost[] = [];
  for (const each of text.split(',')) {
    const { host, port = String(portDefault) } = hostForm.exec(each.trim())?.groups ?? {};
    if (host === undefined || Number(port) > portMax || hosts.length === hostsMax) return undefined;
    hosts.push({ host, port: Number(port) });
  }
  return hosts;
}

/** The client ignores case and the signs `_` and `-` in the names of options. */
function optionsOf(text: string): ReadonlyMap<string, string> | undefined {
  const options = new Map<string, string>();
  for (const pair of text === '' ? [] : text.split('&')) {
    const [name = '', value] = pair.split('=', 2);
    const decoded = value === undefined ? undefined : decode(value);
    if (decoded === undefined) return undefined;
    options.set(name.toLowerCase().replaceAll(/[_-]/g, ''), decoded);
  }
  return options;
}

function credentialsOf(
  user: string | undefined,
  secret: string | undefined,
): StoreAddress['credentials'] | 'malformed' {
  if (user === undefined || secret === undefined) return undefined;
  const [username, password] = [decode(user), decode(secret)];
  return username === undefined || password === undefined ? 'malformed' : { username, password };
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
