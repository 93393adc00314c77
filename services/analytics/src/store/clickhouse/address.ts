import { Secret } from '@sluice/boot';

/** The address of a database of ClickHouse, and the cluster that its tables are spread over. */
export interface ClickHouseAddress {
  /** http(s)://host:port */
  readonly url: string;
  readonly username: string;
  readonly password: Secret;
  readonly database: string;
  /** The name of a cluster in the configuration of ClickHouse. Undefined: one server. */
  readonly cluster: string | undefined;
}

const databaseDefault = 'sluice';
const plainName = /^[A-Za-z_][A-Za-z0-9_]{0,63}$/;

/** True for a name that means the same in a statement with quotes and without. */
export const isPlainName = (name: string) => plainName.test(name);

/**
 * Splits `http(s)://user:password@host:port/database`, so that no library writes the password into an error. Undefined:
 * it is no such address.
 */
export function readAddress(text: string): Omit<ClickHouseAddress, 'cluster'> | undefined {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '')
    return undefined;
  const database = url.pathname.replace(/^\/|\/$/g, '') || databaseDefault;
  const [username, password] = [decoded(url.username), decoded(url.password)];
  if (!isPlainName(database) || username === undefined || password === undefined) return undefined;
  return {
    url: url.origin,
    username: username || 'default',
    password: new Secret(password),
    database,
  };
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
