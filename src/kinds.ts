import { parseDuration, showDuration } from './format/duration.ts';
import { splitWords } from './format/shell-word.ts';
import { parseSize } from './format/size.ts';
import { type Address, PartError, parseAddress, showAddress } from './net/address.ts';
import { parseProxyUrl, withoutUserinfo } from './net/proxy-url.ts';

/**
 * How one type of value is parsed and shown. A duration in a flag, in `-X`, in the environment
 * or in a file uses the same kind.
 */
export interface Kind<T> {
  /** The name used in messages and JSON Schemas, for example `duration`. */
  readonly name: string;
  /** The placeholder after `=` in help, for example `DURATION` or `true|false`. */
  readonly hint: string;
  /** @throws Error that says what is wrong without repeating the value, which may be secret */
  parse(text: string): T;
  /** The text that `parse` turns back into the same value. */
  show(value: T): string;
  /** The value in JSON output; `show` is used if absent. */
  json?(value: T): unknown;
  /** Parses a list given item by item in a file; absent if the kind is not a list. */
  parseItems?(items: readonly string[]): T;
  /** All valid values, if there are only a few, for completion and schemas. */
  readonly choices?: readonly string[];
  /** The smallest and the largest value of an `integer`, where it has limits of its own, for programs that read the help. */
  readonly range?: IntegerRange;
  /** An invalid value, or the part of it after the key, is not repeated in errors, because it may hold a secret. */
  readonly mayHoldSecret?: true | 'after the key';
  /** The text to show in place of a valid value that has a secret in it; undefined if it has none. */
  masked?(value: T, hidden: string): string | undefined;
  /** An invalid value is repeated in errors even if it looks as if it held a secret, as KEY=VALUE does. */
  readonly neverSecret?: true;
  /**
   * Where a flag splits its value at commas: whether this value is one, with commas in it.
   * @throws Error if that cannot be told
   */
  isWhole?(text: string): boolean;
  /**
   * Words that shell completion offers, where others are valid too, besides the names of what it `completes`; the value
   * follows one that ends with `=`, and is a file for one that ends with `=@files`.
   */
  readonly offers?: readonly string[];
  /**
   * What shell completion offers, if the value names something that exists; a command is one of weir, a place a topic in
   * the cluster of a profile.
   */
  readonly completes?:
    | 'file'
    | 'directory'
    | 'profile'
    | 'profile-or-file'
    | 'sandbox'
    | 'command'
    | 'place'
    | ClusterSubject;
}

/** What exists in a cluster, its schema registry or the control plane and has a name or an id that completion can ask for. */
export type ClusterSubject =
  | ('topic' | 'group' | 'user' | 'role' | 'broker' | 'config' | 'subject' | 'transform' | 'shadow-link')
  | ('migration' | 'mountable-topic' | 'bundle-job')
  | ('cloud-cluster' | 'cloud-network' | 'resource-group');

/** What completion asks the Admin API for, where a command uses no other API. */
export type AdminSubject = 'admin-topic' | 'admin-broker';

/** Text, taken literally. */
export const text: Kind<string> = { name: 'text', hint: 'TEXT', parse: (value) => value, show: (value) => value };

/** A name that may be any text but the empty one. */
export const anyName: Kind<string> = {
  ...text,
  parse(value) {
    if (value === '') throw new Error('it is empty');
    return value;
  },
};

/** A password or a token, taken literally. */
export const secretText: Kind<string> = { ...text, name: 'secret', hint: 'SECRET' };

/** The path of a file, taken literally. */
export const path: Kind<string> = { ...text, name: 'path', hint: 'FILE', completes: 'file' };

/** A command line that is run without a shell. */
export const commandLine: Kind<string> = {
  ...text,
  name: 'command',
  hint: 'COMMAND',
  parse(value) {
    if (value !== '' && splitWords(value).length === 0) throw new Error('it has no word');
    return value;
  },
};

/** The path of a file to write. Standard output has the result of the command, so `-` is refused. */
export const outputPath: Kind<string> = {
  ...path,
  parse(value) {
    if (value === '-') throw new Error('standard output has the result; for a file with this name, use ./-');
    if (value === '') throw new Error('it is empty');
    return value;
  },
};

/** The base URL of an HTTP API; trailing slashes are removed. */
export const url: Kind<string> = {
  name: 'url',
  hint: 'URL',
  mayHoldSecret: true,
  parse(value) {
    if (!/^https?:\/\//i.test(value)) throw new Error('not a URL (it must start with http:// or https://)');
    if (!URL.canParse(value) || /\s/.test(value)) throw new Error('not a valid URL');
    const { username, password, search, hash } = new URL(value);
    if (username !== '' || password !== '') throw new Error('credentials are not allowed in a URL');
    if (search !== '' || hash !== '') throw new Error('a query or fragment is not allowed in a base URL');
    return value.replace(/\/+$/, '');
  },
  show: (value) => value,
};

/** The URL of a proxy, which may have a user and a password. An empty value overrides lower sources. */
export const proxyUrl: Kind<string> = {
  name: 'proxy',
  hint: 'URL',
  mayHoldSecret: true,
  parse(value) {
    if (value !== '') parseProxyUrl(value);
    return value;
  },
  show: (value) => value,
  masked: withoutUserinfo,
};

const longestHostName = 253;

/** The host name or IP address in a certificate; an empty value overrides lower sources. */
export const serverName: Kind<string> = {
  name: 'server name',
  hint: 'NAME',
  parse(value) {
    if (value === '') return '';
    if (value.includes('*'))
      throw new Error('a wildcard belongs in a certificate: write one of the names that it stands for');
    const { host, port } = parseAddress(/^[^[].*:.*:/.test(value) ? `[${value}]` : value, {
      defaultPort: 0,
      scheme: 'none',
    });
    if (port !== 0) throw new Error('it has no port');
    if (host.length > longestHostName) throw new Error(`longer than ${longestHostName} characters`);
    return host.replace(/(.)\.$/, '$1');
  },
  show: (value) => value,
};

const booleans: ReadonlyMap<string, boolean> = new Map([
  ...['true', 'True', 'TRUE', 't', 'T', '1'].map((word) => [word, true] as const),
  ...['false', 'False', 'FALSE', 'f', 'F', '0'].map((word) => [word, false] as const),
]);

/** `true True TRUE t T 1` or `false False FALSE f F 0`. */
export const boolean: Kind<boolean> = {
  name: 'boolean',
  hint: 'true|false',
  choices: ['true', 'false'],
  parse(value) {
    const parsed = booleans.get(value);
    if (parsed === undefined) throw new Error('not a boolean (use true or false)');
    return parsed;
  },
  show: String,
  json: (value) => value,
};

/** A duration in nanoseconds, for example `1h2m3.5s`. */
export const duration: Kind<bigint> = { name: 'duration', hint: 'DURATION', parse: parseDuration, show: showDuration };

/** Limits of an `integer`. */
export interface IntegerRange {
  readonly min?: number;
  readonly max?: number;
}

/** A whole number in decimal digits from `min` to `max`, both included. */
export function integer(range: IntegerRange = {}): Kind<number> {
  const { min = Number.MIN_SAFE_INTEGER, max = Number.MAX_SAFE_INTEGER } = range;
  return {
    name: 'integer',
    hint: 'N',
    range,
    parse(value) {
      if (!/^[+-]?\d+$/.test(value)) throw new Error('not a whole number');
      const parsed = Number(value);
      if (parsed < min) throw new Error(`less than ${min}`);
      if (parsed > max) throw new Error(`more than ${max}`);
      return parsed;
    },
    show: String,
    json: (value) => value,
  };
}

/** A number of bytes from `min` to `max`, with or without a unit, for example `200000`, `132MB` or `1.5GiB`. */
export function size(range: IntegerRange = {}): Kind<number> {
  const bytes = integer(range);
  return {
    ...bytes,
    name: 'size',
    hint: 'SIZE',
    parse(value) {
      return bytes.parse(/^[+-]?\d+$/.test(value) ? value : String(parseSize(value)));
    },
  };
}

/** The largest `int32` of the Kafka protocol. */
export const maxInt32 = 2_147_483_647;

/** The number of a partition, or the id of a broker: an `int32` of the Kafka protocol, from 0. */
export const int32Id: Kind<number> = integer({ min: 0, max: maxInt32 });

/** The id of a broker of the cluster. */
export const brokerId: Kind<number> = { ...int32Id, completes: 'broker' };

/** The key of a config of brokers, or the name of a property of a Redpanda cluster. */
export const configKey: Kind<string> = { ...text, completes: 'config' };

/** One of a few words, matched without regard to case and returned as spelled in `words`. */
export function oneOf<const W extends string>(name: string, words: readonly W[]): Kind<W> {
  return {
    name,
    hint: words.join('|'),
    choices: words,
    parse(value) {
      const match = words.find((word) => word.toLowerCase() === value.toLowerCase());
      if (match === undefined) throw new Error(`not one of ${words.join(', ')}`);
      return match;
    },
    show: (value) => value,
  };
}

/** The default port and the allowed schemes of an API's addresses. */
export interface AddressRules {
  readonly defaultPort: number;
  /** Brokers are `host:port`; the HTTP APIs also take `http(s)://` and a path. */
  readonly scheme: 'none' | 'http';
}

/** A comma-separated list of addresses; a missing port becomes the API's default port. */
export function addresses(rules: AddressRules): Kind<readonly Address[]> {
  return {
    name: 'addresses',
    hint: 'HOST:PORT,…',
    parse: (value) => value.split(',').map((item) => readAddress(item.trim(), rules)),
    parseItems(items) {
      if (items.length === 0) throw new Error('the list is empty');
      return items.map((item) => readAddress(item.trim(), rules));
    },
    show: (value) => value.map(showAddress).join(','),
    json: (value) => value.map(showAddress),
  };
}

/** Parses one address of the list; an error names that address. */
function readAddress(text: string, rules: AddressRules): Address {
  try {
    return parseAddress(text, rules);
  } catch (error) {
    throw error instanceof PartError || !(error instanceof Error)
      ? error
      : new PartError('address', text, error.message);
  }
}

/** A `key=value` or `key:value` pair, split at the first `=` or `:`. The key is trimmed, the value is kept as is. */
export const keyValue: Kind<readonly [key: string, value: string]> = {
  name: 'key=value',
  hint: 'KEY=VALUE',
  mayHoldSecret: 'after the key',
  parse(value) {
    const at = value.search(/[=:]/);
    if (at < 0) throw new Error('not of the form key=value');
    const key = value.slice(0, at).trim();
    if (key === '') throw new Error('the key before "=" is empty');
    return [key, value.slice(at + 1)];
  },
  show: ([key, value]) => `${key}=${value}`,
};
