import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { count } from '../../format/count.ts';
import { excerpt } from '../../format/excerpt.ts';
import { newDraft, putText } from '../layer.ts';
import { anchored, type OptionKey } from '../options.ts';
import type { FileValue } from '../yaml/edit.ts';
import { fileValueOf } from './edit.ts';
import { type Properties, type Property, readJaas, readProperties } from './properties-text.ts';

/** A property that was understood, and the options that it became, if any: PLAINTEXT, for example, is what weir uses anyway. */
export interface ImportedProperty {
  readonly property: string;
  readonly options: readonly OptionKey[];
}

/** The result of importing a properties file of Kafka's clients or of librdkafka. */
export interface PropertiesImport {
  readonly options: ReadonlyMap<OptionKey, FileValue>;
  readonly imported: readonly ImportedProperty[];
  /** The parts that could not be imported, one line each. */
  readonly lost: readonly string[];
}

/** An import: each step takes the properties that it knows, and what is left at the end is unknown. */
interface Work {
  readonly path: string;
  readonly properties: Properties;
  readonly options: Map<OptionKey, FileValue>;
  readonly imported: Map<string, OptionKey[]>;
  readonly lost: string[];
  /** The properties that no step has looked at yet. */
  readonly rest: Set<string>;
}

/**
 * Converts a properties file to the options of a profile: `client.properties` of Kafka's programs, and the configuration
 * files of kcat and other programs of librdkafka.
 */
export function importProperties(path: string, text: string): PropertiesImport {
  const properties = readProperties(text);
  const work: Work = {
    path,
    properties,
    options: new Map(),
    imported: new Map(),
    lost: [],
    rest: new Set(properties.keys()),
  };
  takeBrokers(work);
  const protocol = takeProtocol(work);
  takeTls(work, protocol.endsWith('SSL'));
  takeSasl(work, protocol.startsWith('SASL_'));
  takeRegistry(work);
  takeText(work, 'client.id', 'globals.streaming_protocol_request_client_id');
  if (work.rest.size > 0) work.lost.push(`no options of weir: ${namesOf(work.rest)}`);
  const { options, lost } = work;
  const imported = [...properties.keys()].flatMap((property) => {
    const keys = work.imported.get(property);
    const taken = keys?.filter((key) => options.has(key)) ?? [];
    const isLost = keys === undefined || (keys.length > 0 && taken.length === 0);
    return isLost ? [] : [{ property, options: taken }];
  });
  return { options, imported, lost };
}

/** What the names of properties look like; a line of a key in a file looks different, and is not shown. */
const nameLike = /^(?:[a-z][a-z\d]*(?:[._-][a-z\d]+)+|acks|debug|retries)$/;
const longestName = 80;

function namesOf(all: Iterable<string>): string {
  const names = [...all];
  const shown = names.filter((name) => name.length <= longestName && nameLike.test(name));
  const more = names.length - shown.length;
  if (more === 0) return shown.join(', ');
  return [...shown, `${count(more, shown.length === 0 ? 'line' : 'other line')} without the name of a property`].join(
    ', ',
  );
}

/** A property with its name. */
type Named = Property & { readonly name: string };

/** Takes a property away from the rest; undefined if it is missing or empty, or its value refers to another place. */
function take(work: Work, name: string): Named | undefined {
  const property = takeWhole(work, name);
  return property === undefined || isReference(work, name, property.value) ? undefined : property;
}

/** Takes a property away from the rest, also one with references in it. */
function takeWhole(work: Work, name: string): Named | undefined {
  const property = work.properties.get(name);
  work.rest.delete(name);
  return property === undefined || property.value === '' ? undefined : { ...property, name };
}

/** Whether a value refers to another place, such as `${file:/run/x:password}` for a config provider of Kafka; it is lost then. */
function isReference(work: Work, name: string, value: string): boolean {
  const start = value.indexOf('${');
  const colon = value.indexOf(':', start);
  const isWhole = start === 0 && value.endsWith('}');
  if (start < 0 || (!isWhole && (colon < 0 || !value.includes('}', colon)))) return false;
  work.lost.push(`${name}: its value is a reference to another place`);
  return true;
}

/** The first of several names for the same. */
function takeOne(work: Work, ...names: readonly string[]): Named | undefined {
  const properties = names.map((name) => take(work, name));
  return properties.find((one) => one !== undefined);
}

/** Sets an option to a text from a property; an invalid one is lost. */
function put(work: Work, key: OptionKey, text: string, { name, line }: { name: string; line: number }): void {
  const draft = newDraft('profile');
  putText(draft, key, anchored(key, text, besides(work)), `${work.path}:${line} (${name})`);
  const entry = draft.entries.get(key);
  if (entry !== undefined) {
    work.options.set(key, fileValueOf(key, entry.value));
    work.imported.set(name, [...(work.imported.get(name) ?? []), key]);
  }
  work.lost.push(...draft.errors.map(({ message }) => message));
}

/** These programs use their working directory, which nobody knows any more: most often it is where the file is. */
function besides({ path }: Work): { readonly cwd: string } {
  return { cwd: dirname(path) };
}

function takeText(work: Work, name: string, key: OptionKey): void {
  const property = take(work, name);
  if (property !== undefined) put(work, key, property.value, property);
}

function takeBrokers(work: Work): void {
  const property = takeOne(work, 'bootstrap.servers', 'metadata.broker.list');
  if (property === undefined) return;
  // Both kinds of clients accept a protocol before the host, and ignore it.
  const items = property.value.split(',').map((item) => item.trim().replace(/^\w+:\/\//, ''));
  put(work, 'brokers', items.filter((item) => item !== '').join(','), property);
}

const protocols = ['PLAINTEXT', 'SSL', 'SASL_PLAINTEXT', 'SASL_SSL'];

function takeProtocol(work: Work): string {
  const property = take(work, 'security.protocol');
  const protocol = property?.value.toUpperCase() ?? 'PLAINTEXT';
  if (property === undefined) return protocol;
  if (!protocols.includes(protocol)) {
    work.lost.push(`security.protocol: unknown protocol ${excerpt(property.value)}`);
    return 'PLAINTEXT';
  }
  work.imported.set(property.name, []);
  if (protocol.endsWith('SSL')) put(work, 'tls.enabled', 'true', property);
  return protocol;
}

const pemOnly = 'weir reads PEM files, not JKS and PKCS#12: convert it, and set';
const inline = 'weir reads certificates and keys from files: write it to one, and set';

/** What weir cannot take of TLS, and why. */
const lostOfTls: readonly (readonly [name: string, why: string])[] = [
  ['ssl.truststore.certificates', `${inline} tls.ca`],
  ['ssl.ca.pem', `${inline} tls.ca`],
  ['ssl.keystore.certificate.chain', `${inline} tls.cert`],
  ['ssl.certificate.pem', `${inline} tls.cert`],
  ['ssl.keystore.key', `${inline} tls.key`],
  ['ssl.key.pem', `${inline} tls.key`],
  ['ssl.key.password', 'weir does not decrypt keys: do it with openssl pkey, and set tls.key'],
];

function takeTls(work: Work, isUsed: boolean): void {
  const before = new Set(work.options.keys());
  const imported = new Set(work.imported.keys());
  takeText(work, 'ssl.ca.location', 'tls.ca');
  takeText(work, 'ssl.certificate.location', 'tls.cert');
  takeText(work, 'ssl.key.location', 'tls.key');
  takeStore(work, 'ssl.truststore', ['tls.ca']);
  // A PEM file of Kafka has the key and the certificates.
  takeStore(work, 'ssl.keystore', ['tls.cert', 'tls.key']);
  for (const [name, why] of lostOfTls) if (take(work, name) !== undefined) work.lost.push(`${name}: ${why}`);
  takeVerification(work);
  if (isUsed) return;
  // These are not used without TLS, and in a profile they would turn it on.
  const unused = [...work.imported.keys()].filter((name) => !imported.has(name));
  for (const key of [...work.options.keys()]) if (!before.has(key)) work.options.delete(key);
  for (const name of unused) work.imported.delete(name);
  if (unused.length > 0) work.lost.push(`not used without TLS: ${unused.join(', ')}`);
}

/** A store in one PEM file; Java's default is a store of another type. */
function takeStore(work: Work, store: string, keys: readonly OptionKey[]): void {
  const [location, type] = [take(work, `${store}.location`), take(work, `${store}.type`)];
  take(work, `${store}.password`);
  if (location === undefined) return;
  if (type?.value.toUpperCase() === 'PEM') for (const key of keys) put(work, key, location.value, location);
  else work.lost.push(`${location.name}: ${pemOnly} ${keys.join(' and ')}`);
}

function takeVerification(work: Work): void {
  const verification = take(work, 'enable.ssl.certificate.verification');
  if (verification?.value.toLowerCase() === 'false') put(work, 'tls.insecure_skip_verify', 'true', verification);
  const name = 'ssl.endpoint.identification.algorithm';
  const algorithm = work.properties.get(name)?.value.toLowerCase();
  take(work, name);
  if (algorithm === '' || algorithm === 'none')
    work.lost.push(`${name}: weir always checks the host name, unless tls.insecure_skip_verify turns off all checks`);
}

function takeSasl(work: Work, isUsed: boolean): void {
  const mechanism = takeOne(work, 'sasl.mechanism', 'sasl.mechanisms');
  const [user, pass] = [take(work, 'sasl.username'), take(work, 'sasl.password')];
  const jaas = takeWhole(work, 'sasl.jaas.config');
  const all = [mechanism, user, pass, jaas].filter((one) => one !== undefined);
  if (!isUsed) {
    if (all.length > 0) work.lost.push(`not used without SASL: ${all.map(({ name }) => name).join(', ')}`);
    return;
  }
  if (mechanism === undefined)
    work.lost.push('sasl.mechanism: it is not set, which means GSSAPI (Kerberos), and weir does not support that');
  else putMechanism(work, mechanism);
  if (mechanism !== undefined && !work.options.has('sasl.mechanism')) {
    const unused = [user, pass, jaas].filter((one) => one !== undefined).map(({ name }) => name);
    if (unused.length > 0) work.lost.push(`not used without its mechanism: ${unused.join(', ')}`);
    return;
  }
  if (user !== undefined) put(work, 'user', user.value, user);
  if (pass !== undefined) put(work, 'pass', pass.value, pass);
  if (jaas !== undefined) putJaas(work, jaas);
  if (['OAUTHBEARER', 'AWS_MSK_IAM'].includes(String(work.options.get('sasl.mechanism')))) takeHandlers(work);
  if (work.options.get('sasl.mechanism') === 'OAUTHBEARER') takeOauth(work);
}

/** The mechanisms of a list, the best first. */
const mechanisms = ['SCRAM-SHA-512', 'SCRAM-SHA-256', 'PLAIN', 'OAUTHBEARER', 'AWS_MSK_IAM'];

/** Takes the mechanism; of a list, the best that weir knows. */
function putMechanism(work: Work, mechanism: Named): void {
  const listed = mechanism.value.split(',').map((one) => one.trim().toUpperCase());
  const best = mechanisms.find((one) => listed.includes(one));
  put(work, 'sasl.mechanism', listed.length > 1 && best !== undefined ? best : mechanism.value, mechanism);
}

/** Those of Amazon MSK (aws-msk-iam-auth). */
const ofMsk: readonly (readonly [string, OptionKey])[] = [
  ['awsProfileName', 'aws.profile'],
  ['awsRoleArn', 'aws.role_arn'],
];

/** The options of the logins that weir knows, by the names that their values have there. */
const logins: Readonly<Record<string, ReadonlyMap<string, OptionKey>>> = {
  PlainLoginModule: new Map([
    ['username', 'user'],
    ['password', 'pass'],
  ]),
  ScramLoginModule: new Map([
    ['username', 'user'],
    ['password', 'pass'],
  ]),
  OAuthBearerLoginModule: new Map([
    ['clientId', 'oauth.client_id'],
    ['clientSecret', 'oauth.client_secret'],
    ['scope', 'oauth.scope'],
    ...ofMsk,
  ]),
  IAMLoginModule: new Map(ofMsk),
};

function putJaas(work: Work, jaas: Named): void {
  const login = readJaas(jaas.value);
  if (login === undefined) {
    if (!isReference(work, jaas.name, jaas.value))
      work.lost.push(`${jaas.name}: it is not of the form MODULE required KEY="VALUE" …;`);
    return;
  }
  const keyNames = logins[login.module];
  if (keyNames === undefined) {
    work.lost.push(`${jaas.name}: weir has nothing like ${excerpt(login.module)}`);
    return;
  }
  const others: string[] = [];
  const extensions: string[] = [];
  for (const [name, value] of login.options) {
    if (isReference(work, `${jaas.name}: ${name}`, value)) continue;
    const key = keyNames.get(name);
    if (key !== undefined) put(work, key, value, jaas);
    else if (name.startsWith('extension_')) extensions.push(`${name.slice('extension_'.length)}=${value}`);
    else others.push(name);
  }
  if (extensions.length > 0) put(work, 'oauth.extensions', extensions.join(','), jaas);
  if (others.length > 0) work.lost.push(`${jaas.name}: ${others.map(excerpt).join(', ')}`);
}

/** Metadata endpoints that librdkafka asks for tokens. */
function takeMetadata(work: Work): void {
  const name = 'sasl.oauthbearer.metadata.authentication.type';
  const [type, config] = [take(work, name), take(work, 'sasl.oauthbearer.config')];
  if (type === undefined || type.value === 'none') return;
  if (type.value !== 'azure_imds') {
    lostPart(work, type);
    return;
  }
  put(work, 'oauth.grant', 'azure', type);
  const query = new URLSearchParams(/(?:^|\s)query=(\S+)/.exec(config?.value ?? '')?.[1] ?? '');
  const [id, resource] = [query.get('client_id'), query.get('resource')];
  if (config !== undefined && id) put(work, 'oauth.client_id', id, config);
  if (config !== undefined && resource) put(work, 'oauth.scope', `${resource}/.default`, config);
}

function lostPart(work: Work, { name, value }: Pick<Named, 'name' | 'value'>): void {
  work.lost.push(`${name}: weir has nothing like ${excerpt(value)}`);
}

/** The classes that get tokens, and the grant that does the same; undefined: an issuer, or the mechanism says it. */
const handlers: ReadonlyMap<string, string | undefined> = new Map([
  ['OAuthBearerLoginCallbackHandler', undefined],
  ['IAMClientCallbackHandler', undefined],
  ['IAMOAuthBearerLoginCallbackHandler', 'aws'],
  ['KafkaOAuth2AuthenticateCallbackHandler', 'azure'],
  ['GcpLoginCallbackHandler', 'google'],
]);

function takeHandlers(work: Work): void {
  for (const name of ['sasl.client.callback.handler.class', 'sasl.login.callback.handler.class']) {
    const handler = take(work, name);
    if (handler === undefined) continue;
    const className = handler.value.split('.').at(-1) ?? '';
    const grant = handlers.get(className);
    if (!handlers.has(className)) lostPart(work, { name, value: className });
    else if (grant !== undefined) put(work, 'oauth.grant', grant, handler);
    else work.imported.set(name, []);
  }
}

/** The options of OAuth by the names that Kafka 4 and librdkafka have for them; they precede those of a login. */
const ofOauth: readonly (readonly [key: OptionKey, ...names: string[]])[] = [
  ['oauth.token_url', 'sasl.oauthbearer.token.endpoint.url'],
  ['oauth.client_id', 'sasl.oauthbearer.client.credentials.client.id', 'sasl.oauthbearer.client.id'],
  ['oauth.client_secret', 'sasl.oauthbearer.client.credentials.client.secret', 'sasl.oauthbearer.client.secret'],
  ['oauth.scope', 'sasl.oauthbearer.scope'],
  ['oauth.extensions', 'sasl.oauthbearer.extensions'],
  ['oauth.assertion.key', 'sasl.oauthbearer.assertion.private.key.file'],
  ['oauth.assertion.file', 'sasl.oauthbearer.assertion.file'],
];

function takeOauth(work: Work): void {
  // It may say that tokens come from an issuer, as here.
  const method = take(work, 'sasl.oauthbearer.method');
  if (method !== undefined && method.value.toLowerCase() !== 'oidc') lostPart(work, method);
  takeMetadata(work);
  for (const [key, ...names] of ofOauth) {
    const property = takeOne(work, ...names);
    if (property === undefined) continue;
    if (property.value.startsWith('file:')) put(work, 'oauth.token.file', pathOf(property.value), property);
    else put(work, key, property.value, property);
  }
}

/** The path of a URL of a file, with which Kafka reads a token from it; an invalid one stays as it is. */
function pathOf(url: string): string {
  try {
    return fileURLToPath(url);
  } catch {
    return url;
  }
}

/** Settings of the schema registry are written with the prefix, or without it as Confluent's serializers also take them. */
function takeRegistry(work: Work): void {
  takeText(work, 'schema.registry.url', 'registry.hosts');
  const both = (name: string) => takeOne(work, `schema.registry.${name}`, name);
  const source = both('basic.auth.credentials.source')?.value.toUpperCase();
  const info = both('basic.auth.user.info');
  if (info !== undefined && (source === undefined || source === 'USER_INFO')) {
    const at = info.value.indexOf(':');
    put(work, 'registry.user', at < 0 ? info.value : info.value.slice(0, at), info);
    if (at >= 0) put(work, 'registry.pass', info.value.slice(at + 1), info);
  }
  if (source !== undefined && !['USER_INFO', 'SASL_INHERIT'].includes(source))
    work.lost.push(`basic.auth.credentials.source: weir has nothing like ${excerpt(source)}`);
  both('bearer.auth.credentials.source');
  const token = both('bearer.auth.token');
  if (token !== undefined) put(work, 'registry.token', token.value, token);
  takeRegistryTls(work);
}

function takeRegistryTls(work: Work): void {
  takeText(work, 'schema.registry.ssl.ca.location', 'registry.tls.ca');
  takeStore(work, 'schema.registry.ssl.truststore', ['registry.tls.ca']);
  takeStore(work, 'schema.registry.ssl.keystore', ['registry.tls.cert', 'registry.tls.key']);
}
