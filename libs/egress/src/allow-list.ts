import ipaddr from 'ipaddr.js';
import { isPublic, parseAddress } from './address.ts';

/** Decides which addresses may be dialed. */
export interface AllowList {
  /** The operator has named no address. */
  readonly isEmpty: boolean;
  /** Returns true if the address is public, or the operator has allowed it at this port. */
  permits(address: string, port: number): boolean;
  /** Returns true if the operator has named the address: it may be called by http too. */
  names(address: string, port: number): boolean;
}

/** The message names the entry. */
export class InvalidAllowList extends Error {
  override readonly name = 'InvalidAllowList';
}

interface Entry {
  readonly range: [ipaddr.IPv4 | ipaddr.IPv6, number];
  /** Absent: every port. */
  readonly port: number | undefined;
}

/**
 * Parses the addresses that an operator allows besides the public ones, separated by commas: an address or a CIDR
 * range, with a port or without: `10.4.0.0/16`, `127.0.0.1:8080`, `[fd00::]/8`, `[fd00::1]:443`.
 * Throws InvalidAllowList.
 */
export function parseAllowList(text: string): AllowList {
  return allowListOf(
    text
      .split(',')
      .map((entry) => entry.trim())
      .filter((entry) => entry !== '')
      .map(parseEntry),
  );
}

const entryForm =
  /^(?:\[(?<v6>[0-9a-fA-F:.]+)\]|(?<v4>[0-9.]+)|(?<bare>[0-9a-fA-F:.]+))(?:\/(?<bits>\d{1,3}))?(?::(?<port>\d{1,5}))?$/;

function parseEntry(entry: string): Entry {
  const { v6, v4, bare, bits, port } = entryForm.exec(entry)?.groups ?? {};
  const address = parseAddress(v6 ?? v4 ?? bare ?? '');
  const width = address?.kind() === 'ipv4' ? 32 : 128;
  const length = bits === undefined ? width : Number(bits);
  const portNumber = port === undefined ? undefined : Number(port);
  if (!address || length > width || (portNumber !== undefined && !isPort(portNumber)))
    throw new InvalidAllowList(
      `"${entry}" must be an address or a CIDR range, with ":port" or without`,
    );
  return { range: [address, length], port: portNumber };
}

const isPort = (port: number) => port >= 1 && port <= 65_535;

function allowListOf(entries: readonly Entry[]): AllowList {
  const isNamed = (address: ipaddr.IPv4 | ipaddr.IPv6, port: number) =>
    entries.some(
      ({ range, port: only }) =>
        (only === undefined || only === port) &&
        range[0].kind() === address.kind() &&
        (address as ipaddr.IPv6).match(range),
    );
  return {
    isEmpty: entries.length === 0,
    permits: (text, port) => {
      const address = parseAddress(text);
      return address !== undefined && (isPublic(address) || isNamed(address, port));
    },
    names: (text, port) => {
      const address = parseAddress(text);
      return address !== undefined && isNamed(address, port);
    },
  };
}

/** Allows public addresses alone. */
export const allowNothing: AllowList = allowListOf([]);
