import { parseDuration, showDuration } from '../../format/duration.ts';
import { isObject } from '../../shape/object.ts';

/*
 * The configuration of a shadow link: in files as rpk has them, with the names of the protocol and short words
 * (`LITERAL`), and in the Admin API as JSON (redpanda commit 1b95a07c: proto/redpanda/core/admin/v2/shadow_link.proto,
 * src/go/rpk/pkg/cli/shadow/types.go).
 */

/** What a value of the configuration is. */
export type LinkField =
  | {
      /** `mark`: an empty object, which counts by being there. */
      readonly form: 'text' | 'secret' | 'truth' | 'number' | 'duration' | 'time' | 'mark';
      /** Whether the cluster takes the value and ignores it. */
      readonly isIgnored?: true;
    }
  | LinkWord
  | { readonly form: 'list'; readonly item: LinkField }
  | LinkMap;

/** One of a few words. */
interface LinkWord {
  readonly form: 'word';
  /** What the words begin with in the API. */
  readonly prefix: string;
  readonly words: readonly string[];
  /** Other spellings, and the words that they stand for. */
  readonly others?: Readonly<Record<string, string>>;
  /** The word that stands for no word. */
  readonly fallback?: string;
}

/** An object with these fields. */
export interface LinkMap {
  readonly form: 'map';
  readonly fields: Readonly<Record<string, LinkField>>;
  /** Fields of which at most one is there. */
  readonly oneOf?: readonly string[];
  /** Fields of which all or none are there; an update may leave out the secret, which is kept. */
  readonly allOrNone?: readonly string[];
  /** Fields that are there; an update may leave out a secret. */
  readonly required?: readonly string[];
}

/** The configuration of a link in the form of a file; what has its default is left out. */
export type LinkConfig = Readonly<Record<string, unknown>>;

const text = { form: 'text' } as const;
const secret = { form: 'secret' } as const;
const truth = { form: 'truth' } as const;
const number = { form: 'number' } as const;
const duration = { form: 'duration' } as const;
const mark = { form: 'mark' } as const;
const texts = { form: 'list', item: text } as const;
const login: LinkMap = {
  form: 'map',
  fields: { username: text, password: secret },
  required: ['username', 'password'],
};

const tlsSettings: LinkMap = {
  form: 'map',
  fields: {
    enabled: truth,
    tls_file_settings: {
      form: 'map',
      fields: { ca_path: text, key_path: text, cert_path: text },
      allOrNone: ['key_path', 'cert_path'],
    },
    tls_pem_settings: {
      form: 'map',
      fields: { ca: text, key: secret, cert: text },
      allOrNone: ['key', 'cert'],
    },
    do_not_set_sni_hostname: truth,
  },
  oneOf: ['tls_file_settings', 'tls_pem_settings'],
};

const scramMechanism: LinkWord = {
  form: 'word',
  prefix: 'SCRAM_MECHANISM_',
  words: ['SCRAM_SHA_256', 'SCRAM_SHA_512'],
};

/** A filter by name. The fields that its rule is about have these names. */
export const nameFilter: LinkMap = {
  form: 'map',
  fields: {
    pattern_type: {
      form: 'word',
      prefix: 'PATTERN_TYPE_',
      words: ['LITERAL', 'PREFIX'],
      others: { PREFIXED: 'PREFIX' },
    },
    filter_type: { form: 'word', prefix: 'FILTER_TYPE_', words: ['INCLUDE', 'EXCLUDE'] },
    name: text,
  },
};

const nameFilters = { form: 'list', item: nameFilter } as const;

const aclFilter: LinkMap = {
  form: 'map',
  required: ['resource_filter', 'access_filter'],
  fields: {
    resource_filter: {
      form: 'map',
      fields: {
        resource_type: {
          form: 'word',
          prefix: 'ACL_RESOURCE_',
          words: ['ANY', 'CLUSTER', 'GROUP', 'TOPIC', 'TXN_ID', 'SR_SUBJECT', 'SR_REGISTRY', 'SR_ANY'],
          others: { SUBJECT: 'SR_SUBJECT', REGISTRY: 'SR_REGISTRY' },
        },
        pattern_type: {
          form: 'word',
          prefix: 'ACL_PATTERN_',
          words: ['ANY', 'LITERAL', 'PREFIXED', 'MATCH'],
          others: { PREFIX: 'PREFIXED' },
        },
        name: text,
      },
    },
    access_filter: {
      form: 'map',
      fields: {
        principal: text,
        operation: {
          form: 'word',
          prefix: 'ACL_OPERATION_',
          words: [
            'ANY',
            'READ',
            'WRITE',
            'CREATE',
            'REMOVE',
            'ALTER',
            'DESCRIBE',
            'CLUSTER_ACTION',
            'DESCRIBE_CONFIGS',
            'ALTER_CONFIGS',
            'IDEMPOTENT_WRITE',
          ],
          others: { DELETE: 'REMOVE' },
        },
        permission_type: { form: 'word', prefix: 'ACL_PERMISSION_TYPE_', words: ['ANY', 'ALLOW', 'DENY'] },
        host: text,
      },
    },
  },
};

/** The whole configuration, section by section, in the order of files. */
export const linkSections: LinkMap & { readonly fields: Readonly<Record<string, LinkMap>> } = {
  form: 'map',
  fields: {
    client_options: {
      form: 'map',
      fields: {
        bootstrap_servers: texts,
        // No code of the server reads it (redpanda commit 1b95a07c: only its proto has the name).
        source_cluster_id: { form: 'text', isIgnored: true },
        tls_settings: tlsSettings,
        authentication_configuration: {
          form: 'map',
          fields: {
            scram_configuration: {
              ...login,
              fields: { ...login.fields, scram_mechanism: scramMechanism },
            },
            plain_configuration: login,
          },
          oneOf: ['scram_configuration', 'plain_configuration'],
        },
        metadata_max_age_ms: number,
        connection_timeout_ms: number,
        retry_backoff_ms: number,
        fetch_wait_max_ms: number,
        fetch_min_bytes: number,
        fetch_max_bytes: number,
        fetch_partition_max_bytes: number,
      },
    },
    topic_metadata_sync_options: {
      form: 'map',
      fields: {
        interval: duration,
        auto_create_shadow_topic_filters: nameFilters,
        synced_shadow_topic_properties: texts,
        exclude_default: truth,
        start_at_earliest: mark,
        start_at_latest: mark,
        start_at_timestamp: { form: 'time' },
        paused: truth,
      },
      oneOf: ['start_at_earliest', 'start_at_latest', 'start_at_timestamp'],
    },
    consumer_offset_sync_options: {
      form: 'map',
      fields: { interval: duration, paused: truth, group_filters: nameFilters },
    },
    security_sync_options: {
      form: 'map',
      fields: { interval: duration, paused: truth, acl_filters: { form: 'list', item: aclFilter } },
    },
    schema_registry_sync_options: {
      form: 'map',
      fields: {
        shadow_schema_registry_topic: mark,
        shadow_schema_registry_api: {
          form: 'map',
          fields: {
            source_url: text,
            auth_options: {
              form: 'map',
              fields: { basic: login },
            },
            tls_settings: tlsSettings,
            tail_interval: duration,
            full_sync_interval: duration,
            max_source_requests_per_second: number,
            source_filter: { form: 'map', fields: { contexts: texts, subjects: texts } },
            destination: {
              form: 'map',
              fields: {
                identity: mark,
                exact: {
                  form: 'map',
                  fields: {
                    mappings: {
                      form: 'list',
                      item: { form: 'map', fields: { source: text, destination: text } },
                    },
                  },
                },
              },
              oneOf: ['identity', 'exact'],
            },
            unsupported_schema_feature_policy: {
              form: 'word',
              prefix: 'UNSUPPORTED_SCHEMA_FEATURE_POLICY_',
              words: ['FAIL', 'REMOVE'],
              fallback: 'FAIL',
            },
          },
        },
      },
      oneOf: ['shadow_schema_registry_topic', 'shadow_schema_registry_api'],
    },
    role_sync_options: {
      form: 'map',
      fields: { interval: duration, paused: truth, role_name_filters: nameFilters },
    },
  },
};

/** The word that a text stands for, in any case, with dashes, and with its prefix; undefined if there is none. */
export function linkWord({ prefix, words, others = {} }: LinkWord, given: string): string | undefined {
  const upper = given.toUpperCase().replaceAll('-', '_');
  const short = upper.startsWith(prefix) ? upper.slice(prefix.length) : upper;
  return words.includes(short) ? short : others[short];
}

/** What stands for a secret that is set: the Admin API returns none, and keeps one that it does not get. */
export const setSecret = '[secret]';

/** The configuration that the Admin API returns, in the form of a file. */
export function linkConfig(returned: unknown): LinkConfig {
  return (fromWire(linkSections, returned) ?? {}) as LinkConfig;
}

/** A value in the form of a file; undefined for a default, and for what has another form. */
function fromWire(field: LinkField, value: unknown): unknown {
  if (field.form === 'map') return isObject(value) ? mapFromWire(field, value) : undefined;
  if (field.form === 'list') return listFromWire(field.item, value);
  if (field.form === 'mark') return isObject(value) ? {} : undefined;
  if (typeof value === 'boolean' || typeof value === 'number') return value || undefined;
  if (typeof value !== 'string' || value === '') return undefined;
  if (field.form === 'duration') return durationOf(value);
  if (field.form === 'time') return timeOf(value);
  return field.form === 'word' ? wordFromWire(field, value) : value;
}

function mapFromWire({ fields }: LinkMap, value: Readonly<Record<string, unknown>>): unknown {
  return filledMap(
    Object.entries(fields).map(([name, one]) => {
      return [name, one.form === 'secret' ? secretOf(value, camel(name)) : fromWire(one, value[camel(name)])];
    }),
  );
}

function listFromWire(item: LinkField, value: unknown): unknown {
  const items = (Array.isArray(value) ? value : []).map((one) => fromWire(item, one));
  const given = items.filter((one) => one !== undefined);
  return given.length === 0 ? undefined : given;
}

function wordFromWire(field: LinkWord, value: string): string | undefined {
  // A word of a newer server stays as it is.
  const word = linkWord(field, value) ?? value.replace(field.prefix, '');
  return word === field.fallback || word === 'UNSPECIFIED' ? undefined : word;
}

/** Whether a secret is set shows a field beside it: a password has `passwordSet`, a key `keyFingerprint`. */
function secretOf(beside: Readonly<Record<string, unknown>>, name: string): string | undefined {
  return beside[`${name}Set`] === true || beside[`${name}Fingerprint`] ? setSecret : undefined;
}

/** An object of the fields that are there; undefined if there are none. */
export function filledMap(entries: readonly (readonly [string, unknown])[]): object | undefined {
  const given = entries.filter(([, value]) => value !== undefined);
  return given.length === 0 ? undefined : Object.fromEntries(given);
}

function durationOf(shown: string): string | undefined {
  try {
    const nanoseconds = parseDuration(shown);
    return nanoseconds === 0n ? undefined : showDuration(nanoseconds);
  } catch {
    return undefined;
  }
}

/** A time in RFC 3339, in UTC and without digits that say nothing; undefined for what is no time. */
export function timeOf(shown: string): string | undefined {
  const ms = Date.parse(shown);
  return Number.isNaN(ms) ? undefined : new Date(ms).toISOString().replace('.000Z', 'Z');
}

/**
 * Parts of the configuration as the Admin API takes them.
 * @param returned what the API returned of the same link: fields of newer servers, which weir does not know, stay as
 * they are
 */
export function wireConfig(config: LinkConfig, returned: unknown = {}): Readonly<Record<string, unknown>> {
  return toWire(linkSections, config, returned) as Readonly<Record<string, unknown>>;
}

function toWire(field: LinkField, value: unknown, returned?: unknown): unknown {
  switch (field.form) {
    case 'duration':
      return `${secondsOf(parseDuration(String(value)))}s`;
    case 'word':
      return field.prefix + String(value);
    case 'list':
      return (value as readonly unknown[]).map((one) => toWire(field.item, one));
    case 'map': {
      const { fields } = field;
      const known = new Set(Object.keys(fields).map(camel));
      const others = Object.entries(isObject(returned) ? returned : {}).filter(([name]) => !known.has(name));
      const given = Object.entries(value as object).flatMap(([name, one]): [string, unknown][] => {
        const inner = fields[name];
        if (inner === undefined || (inner.form === 'secret' && one === setSecret)) return [];
        return [[camel(name), toWire(inner, one, isObject(returned) ? returned[camel(name)] : undefined)]];
      });
      return Object.fromEntries([...others, ...given]);
    }
    default:
      return value;
  }
}

function secondsOf(nanoseconds: bigint): string {
  const digits = String(nanoseconds % 1_000_000_000n).padStart(9, '0');
  return `${nanoseconds / 1_000_000_000n}${`.${digits}`.replace(/\.?0+$/, '')}`;
}

/** The name of a field in JSON. */
export function camel(name: string): string {
  return name.replaceAll(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

/** The secrets that a configuration sets. */
export function secretsOf(config: LinkConfig): readonly string[] {
  return leavesOf(linkSections, config).flatMap(({ field, value }) => {
    return field.form === 'secret' && value !== setSecret ? [String(value)] : [];
  });
}

/** A value of a configuration that is no object, with its place. */
interface LinkLeaf {
  /** The names on the way to it, with dots between them. */
  readonly path: string;
  readonly field: LinkField;
  readonly value: unknown;
}

function leavesOf(field: LinkField, value: unknown, path = ''): readonly LinkLeaf[] {
  if (field.form !== 'map') return [{ path, field, value }];
  return Object.entries(value as object).flatMap(([name, one]) => {
    const inner = field.fields[name];
    return inner === undefined ? [] : leavesOf(inner, one, path === '' ? name : `${path}.${name}`);
  });
}

/** A value that differs between two configurations; null for one that is not there. */
export interface LinkChange {
  /** The names on the way to it, with dots between them. */
  readonly field: string;
  readonly before: unknown;
  /** `[secret]` for a secret. */
  readonly after: unknown;
}

/**
 * What differs between the configuration that the API returned and the one that is wanted. A secret that is given does,
 * because nobody knows the one that is set; one that is left out stays as it is, beside what it belongs to.
 */
export function linkChanges(before: LinkConfig, after: LinkConfig): readonly LinkChange[] {
  const old = new Map(leavesOf(linkSections, before).map((leaf) => [leaf.path, leaf]));
  const wanted = new Map(leavesOf(linkSections, after).map((leaf) => [leaf.path, leaf]));
  return [...new Set([...old.keys(), ...wanted.keys()])].flatMap((path) => {
    const [one, other] = [old.get(path), wanted.get(path)];
    const isKept = one?.field.form === 'secret' && other === undefined && wanted.has(besideSecret(path));
    if (JSON.stringify(one?.value) === JSON.stringify(other?.value) || isKept || isIgnored(other)) return [];
    const after = other?.field.form === 'secret' ? setSecret : (other?.value ?? null);
    return [{ field: path, before: one?.value ?? null, after }];
  });
}

/**
 * What a secret belongs to: the server keeps a password while its username is sent, and a key while its certificate is
 * (redpanda commit 1b95a07c: src/v/redpanda/admin/services/shadow_link/converter.cc:1657, 1683 and 1715).
 */
function besideSecret(path: string): string {
  return path.replace(/password$/, 'username').replace(/key$/, 'cert');
}

function isIgnored(leaf: LinkLeaf | undefined): boolean {
  return leaf !== undefined && 'isIgnored' in leaf.field;
}

/** The fields of a configuration that the cluster ignores. */
export function ignoredFields(config: LinkConfig): readonly string[] {
  return leavesOf(linkSections, config).flatMap((leaf) => (isIgnored(leaf) ? [leaf.path] : []));
}
