import type { Admin } from '../admin/open.ts';
import type { Cloud } from '../cloud/open.ts';
import type { Config } from '../config/config.ts';
import type { SecretKey } from '../config/options.ts';
import { sandboxOf } from '../config/profile/sandbox-mark.ts';
import { unsetHosts } from '../config/settings/checks.ts';
import type { HttpApi } from '../config/settings/sign-in.ts';
import type { Deadline } from '../deadline.ts';
import type { Check, CheckedApi } from '../doctor/check-rows.ts';
import type { Kafka } from '../kafka/open.ts';
import type { KafkaOptions } from '../kafka/protocol/options.ts';
import type { BearerSource } from '../net/bearer.ts';
import type { Secret } from '../net/secret.ts';
import { once } from '../once.ts';
import type { Registry } from '../registry/open.ts';
import type { OAuth } from '../sign-in/cluster/open.ts';
import type { Identity } from '../sign-in/identity/open.ts';
import type { Machine, ProgramResult, Provider } from '../sign-in/identity/options.ts';
import { openSecrets, type Secrets } from '../sign-in/secrets/secrets.ts';
import { besideKafka } from './admin.ts';
import { cloudOptions } from './cloud.ts';
import { credentialsOf, type HttpApiParts, httpApiOptions, registryOptions } from './http-api.ts';
import { identityOf, identityOptions } from './identity.ts';
import { bearerSasl, iamSasl, kafkaOptions, passwordPrompt, userWithoutPassword, usesTokens } from './kafka.ts';
import { givenToken, oauthOptions } from './oauth.ts';
import type { ClientParts } from './parts.ts';

/** The clients of a command, each opened on first use. */
export interface Clients {
  /** Opens the client of the broker data API. */
  kafka(): Promise<Kafka>;
  /** Opens the client of the Admin API. */
  admin(): Promise<Admin>;
  /** Opens the client of the schema registry. */
  registry(): Promise<Registry>;
  /** Opens the client of the control plane. */
  cloud(): Promise<Cloud>;
  /** Opens the logins of the cluster. */
  oauth(): Promise<Pick<OAuth, 'logins'>>;
  /** The values of the secret options. */
  secrets(): Promise<Secrets>;
  /** Checks every configured API step by step, without retries; or only the one that is named. */
  checkup(only?: CheckedApi): Promise<readonly Check[]>;
  /** Closes those that were opened, the last one first. */
  close(): Promise<void>;
}

/** What the clients of one command share. */
interface Shared {
  readonly parts: ClientParts;
  readonly config: () => Promise<Config>;
  readonly deadline: () => Promise<Deadline>;
  readonly secrets: () => Promise<Secrets>;
  readonly oauth: () => Promise<OAuth>;
  readonly kafka: () => Promise<Kafka>;
  /** The passwords that somebody was asked for, each once. */
  readonly typed: Map<SecretKey, Promise<string | undefined>>;
  /** What is open, in the order in which it was opened. */
  readonly open: { close(): unknown }[];
}

/** Opens the clients of a command; each is loaded when it is first asked for. */
export function openClients(
  parts: ClientParts,
  config: () => Promise<Config>,
  deadline: () => Promise<Deadline>,
): Clients {
  const shared: Shared = {
    parts,
    config,
    deadline,
    secrets: once(() => openSecretsOf(shared)),
    oauth: once(async () => openOAuth(shared, await deadline())),
    kafka: once(() => openKafka(shared)),
    typed: new Map(),
    open: [],
  };
  return {
    kafka: shared.kafka,
    admin: once(() => openAdmin(shared)),
    registry: once(() => openRegistry(shared)),
    cloud: once(async () => openCloud(shared, await deadline())),
    oauth: shared.oauth,
    secrets: shared.secrets,
    checkup: (only) => checkup(shared, only),
    async close() {
      for (const one of shared.open.splice(0).reverse()) await one.close();
    },
  };
}

function keep<T extends Shared['open'][number]>({ open }: Shared, opened: T): T {
  open.push(opened);
  return opened;
}

function traceOf({ parts: { trace } }: Shared) {
  return { ...(trace && { trace }) };
}

function watchers(shared: Shared) {
  const { onChange } = shared.parts;
  return { ...traceOf(shared), ...(onChange && { onChange }) };
}

async function openKafka(shared: Shared): Promise<Kafka> {
  const options = await optionsOfKafka(shared, shared.oauth, await shared.deadline());
  return keep(shared, (await import('../kafka/open.ts')).openKafka(options));
}

async function openAdmin(shared: Shared): Promise<Admin> {
  const beside = besideKafka(shared);
  const unset = unsetHosts((await shared.config()).setting, 'admin');
  if (unset !== undefined) throw await beside.whenRefused(unset);
  const options = {
    ...(await httpApiOptions('admin', await httpApiParts(shared))),
    ...beside,
    ...watchers(shared),
  };
  return keep(shared, (await import('../admin/open.ts')).openAdmin(options));
}

async function openRegistry(shared: Shared): Promise<Registry> {
  const unset = unsetHosts((await shared.config()).setting, 'registry');
  if (unset !== undefined) throw unset;
  const options = { ...(await registryOptions(await httpApiParts(shared))), ...watchers(shared) };
  return keep(shared, (await import('../registry/open.ts')).openRegistry(options));
}

async function openCloud(shared: Shared, limits: Deadline): Promise<Cloud> {
  const options = cloudOptions(shared.parts, await shared.config(), limits, await shared.secrets());
  return keep(shared, (await import('../cloud/open.ts')).openCloud({ ...options, ...watchers(shared) }));
}

async function checkup(shared: Shared, only: CheckedApi | undefined): Promise<readonly Check[]> {
  const [{ checkAll }, { doctorOptions }] = await Promise.all([import('../doctor/doctor.ts'), import('./doctor.ts')]);
  const parts = await httpApiParts(shared);
  const options = doctorOptions({
    parts: shared.parts,
    only,
    config: parts.config,
    deadline: parts.deadline,
    kafka: (limits) => optionsOfKafka(shared, () => openOAuth(shared, limits), limits),
    credentials: (api, limits) => credentialsOf(api, { ...parts, tokens: () => openOAuth(shared, limits) }),
    openCloud: (limits) => openCloud(shared, limits),
  });
  return await checkAll(options);
}

/** The options of the broker client. @param tokens opens the tokens of the cluster, if it takes any */
async function optionsOfKafka(shared: Shared, tokens: () => Promise<OAuth>, limits: Deadline): Promise<KafkaOptions> {
  const { parts, config, deadline } = shared;
  const password = () => secretOf(shared, 'pass', 'kafka');
  const sandbox = sandboxOf(await config());
  if (sandbox !== undefined) await (await import('../sandbox/stopped.ts')).checkRunning(parts.host, sandbox);
  const options = await kafkaOptions(await config(), await deadline(), parts.host, password);
  const sasl = (await tokenSasl(shared, tokens, limits)) ?? options.sasl;
  return { ...options, sasl, ...watchers(shared), warn: parts.messages.warn };
}

async function tokenSasl(
  shared: Shared,
  tokens: () => Promise<OAuth>,
  limits: Deadline,
): Promise<KafkaOptions['sasl']> {
  const config = await shared.config();
  const provider = identityOf(config);
  if (provider === undefined) return usesTokens(config) ? bearerSasl(config, await tokens()) : undefined;
  const identity = await openIdentity(shared, provider, limits);
  return usesTokens(config) ? bearerSasl(config, identity) : iamSasl(config, identity);
}

async function httpApiParts(shared: Shared): Promise<HttpApiParts> {
  return {
    parts: shared.parts,
    config: await shared.config(),
    deadline: await shared.deadline(),
    secretOf: (key, to) => secretOf(shared, key, to),
    tokens: shared.oauth,
    tokensOf: (key) => tokensOf(shared, key),
  };
}

async function openOAuth(shared: Shared, limits: Deadline): Promise<OAuth> {
  const { parts } = shared;
  const options = oauthOptions({
    parts,
    config: await shared.config(),
    deadline: limits,
    secrets: await shared.secrets(),
  });
  return keep(shared, (await import('../sign-in/cluster/open.ts')).openOAuth({ ...options, ...traceOf(shared) }));
}

async function openIdentity(shared: Shared, provider: Provider, limits: Deadline): Promise<Identity> {
  const run: Machine['run'] = (...program) => runProgram(shared, ...program);
  const options = identityOptions(provider, {
    parts: shared.parts,
    config: await shared.config(),
    deadline: limits,
    run,
  });
  return keep(shared, (await import('../sign-in/identity/open.ts')).openIdentity({ ...options, ...traceOf(shared) }));
}

async function runProgram(
  { parts, deadline }: Shared,
  ...[file, args, overdue]: Parameters<Machine['run']>
): Promise<ProgramResult> {
  // A program may ask the person, which completion does not.
  if (parts.mayRun === false) throw overdue();
  const { runForOutput } = await import('../sign-in/secrets/limited-run.ts');
  return await runForOutput({ host: parts.host, deadline: await deadline() }, { file, args, isAtHome: true }, overdue);
}

async function openSecretsOf({ parts, config, deadline }: Shared): Promise<Secrets> {
  const { host, messages, mayRun = true } = parts;
  return openSecrets({
    host,
    config: await config(),
    deadline: await deadline(),
    warnOnce: messages.warnOnce,
    mayRun,
  });
}

/** The value of a secret option; the person is asked for a password that no source sets. */
async function secretOf(shared: Shared, key: SecretKey, to: 'kafka' | HttpApi): Promise<Secret> {
  const { get } = await shared.secrets();
  const config = await shared.config();
  // A program may ask the person, before anything is dialed; only a file is read again for each sign-in.
  const now = await get(key);
  if (config.setting(key).from?.way === 'file') return () => get(key);
  const user = now === '' ? userWithoutPassword(config, key) : undefined;
  if (user === undefined) return now;
  const { parts, typed } = shared;
  const answer = typed.get(key) ?? Promise.resolve(parts.askPassword?.(passwordPrompt(user, config, to)));
  typed.set(key, answer);
  return (await answer) ?? '';
}

async function tokensOf({ parts, config, deadline, secrets }: Shared, key: SecretKey): Promise<BearerSource> {
  const [{ givenSource }, { clock }] = [await import('../sign-in/cluster/token-source.ts'), await deadline()];
  const given = givenToken(await config(), await secrets(), key);
  if (given === undefined) throw new Error(`${key} is not set`);
  return givenSource(given, () => clock.wallTime(), parts.messages.warnOnce);
}
