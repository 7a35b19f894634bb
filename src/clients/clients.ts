import type { AdminOptions } from '../admin/client/api.ts';
import type { Admin } from '../admin/open.ts';
import type { Cloud } from '../cloud/open.ts';
import type { Config } from '../config/config.ts';
import type { SecretKey } from '../config/options.ts';
import type { HttpApi } from '../config/resolve/sign-in.ts';
import type { Deadline } from '../deadline.ts';
import type { Check, CheckedApi } from '../doctor/check-rows.ts';
import type { Kafka } from '../kafka/open.ts';
import type { Secret } from '../net/secret.ts';
import { once } from '../once.ts';
import type { Registry } from '../registry/open.ts';
import type { OAuth } from '../sign-in/cluster/open.ts';
import type { Identity } from '../sign-in/identity/open.ts';
import type { Machine, Provider } from '../sign-in/identity/options.ts';
import { openSecrets, type Secrets } from '../sign-in/secrets/secrets.ts';
import { adminOptions, noAdminApi } from './admin.ts';
import { cloudOptions } from './cloud.ts';
import { credentialsOf, registryOptions } from './http-api.ts';
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

/** Opens the clients of a command; each is loaded when it is first asked for. */
export function openClients(
  parts: ClientParts,
  config: () => Promise<Config>,
  deadline: () => Promise<Deadline>,
): Clients {
  const { trace, onChange } = parts;
  const watchers = { ...(trace && { trace }), ...(onChange && { onChange }) };
  const closers: (() => unknown)[] = [];
  const keep = <T extends Kafka | Admin | Registry | Cloud | OAuth | Identity>(opened: T): T => {
    closers.push(() => opened.close());
    return opened;
  };
  const secrets = once(async () => {
    const { host, messages, mayRun = true } = parts;
    return openSecrets({
      host,
      config: await config(),
      deadline: await deadline(),
      warnOnce: messages.warnOnce,
      mayRun,
    });
  });
  const typed = new Map<SecretKey, Promise<string | undefined>>();
  const secretOf = async (key: SecretKey, to: 'kafka' | HttpApi): Promise<Secret> => {
    const { get } = await secrets();
    const resolved = await config();
    // A program may ask the person, before anything is dialed; only a file is read again for each sign-in.
    const now = await get(key);
    if (resolved.setting(key).from?.way === 'file') return () => get(key);
    const user = now === '' ? userWithoutPassword(resolved, key) : undefined;
    if (user === undefined) return now;
    const answer = typed.get(key) ?? Promise.resolve(parts.askPassword?.(passwordPrompt(user, resolved, to)));
    typed.set(key, answer);
    return (await answer) ?? '';
  };
  const openOAuth = async (limits: Deadline) => {
    const options = oauthOptions({ parts, config: await config(), deadline: limits, secrets: await secrets() });
    return keep((await import('../sign-in/cluster/open.ts')).openOAuth({ ...options, ...(trace && { trace }) }));
  };
  const oauth = once(async () => openOAuth(await deadline()));
  const tokensOf = async (key: SecretKey) => {
    const [{ givenSource }, { clock }] = [await import('../sign-in/cluster/token-source.ts'), await deadline()];
    const given = givenToken(await config(), await secrets(), key);
    if (given === undefined) throw new Error(`${key} is not set`);
    return givenSource(given, () => clock.wallTime(), parts.messages.warnOnce);
  };
  const run: Machine['run'] = async (file, args, overdue) => {
    // A program may ask the person, which completion does not.
    if (parts.mayRun === false) throw overdue();
    const { runForOutput } = await import('../sign-in/secrets/limited-run.ts');
    return await runForOutput(
      { host: parts.host, deadline: await deadline() },
      { file, args, isAtHome: true },
      overdue,
    );
  };
  const openIdentity = async (provider: Provider, limits: Deadline) => {
    const given = { parts, config: await config(), deadline: limits, run };
    const options = identityOptions(provider, given);
    return keep((await import('../sign-in/identity/open.ts')).openIdentity({ ...options, ...(trace && { trace }) }));
  };
  const tokenSasl = async (tokens: () => Promise<OAuth>, limits: Deadline) => {
    const resolved = await config();
    const provider = identityOf(resolved);
    if (provider === undefined) return usesTokens(resolved) ? bearerSasl(resolved, await tokens()) : undefined;
    const identity = await openIdentity(provider, limits);
    return usesTokens(resolved) ? bearerSasl(resolved, identity) : iamSasl(resolved, identity);
  };
  const optionsOfKafka = async (tokens: () => Promise<OAuth>, limits: Deadline) => {
    const options = await kafkaOptions(await config(), await deadline(), parts.host, () => secretOf('pass', 'kafka'));
    const sasl = (await tokenSasl(tokens, limits)) ?? options.sasl;
    return { ...options, sasl, ...watchers, warn: parts.messages.warn };
  };
  const httpApi = async () => {
    const resolved = await config();
    return { parts, config: resolved, deadline: await deadline(), secretOf, tokens: oauth, tokensOf };
  };
  const openCloud = async (limits: Deadline) => {
    const options = cloudOptions(parts, await config(), limits, await secrets());
    return keep((await import('../cloud/open.ts')).openCloud({ ...options, ...watchers }));
  };
  const kafka = once(async () => {
    const options = await optionsOfKafka(oauth, await deadline());
    return keep((await import('../kafka/open.ts')).openKafka(options));
  });
  return {
    kafka,
    admin: once(async () => {
      const options = await adminOptions(await httpApi());
      return keep(
        (await import('../admin/open.ts')).openAdmin({ ...options, ...besideKafka(parts, config, kafka), ...watchers }),
      );
    }),
    registry: once(async () => {
      const options = await registryOptions(await httpApi());
      return keep((await import('../registry/open.ts')).openRegistry({ ...options, ...watchers }));
    }),
    cloud: once(async () => openCloud(await deadline())),
    oauth,
    secrets,
    async checkup(only) {
      const [{ checkAll }, { doctorOptions }] = await Promise.all([
        import('../doctor/doctor.ts'),
        import('./doctor.ts'),
      ]);
      const resolved = await config();
      return checkAll(
        doctorOptions({
          parts,
          only,
          config: resolved,
          deadline: await deadline(),
          kafka: (limits) => optionsOfKafka(() => openOAuth(limits), limits),
          credentials: (api, limits) =>
            credentialsOf(api, {
              config: resolved,
              secretOf,
              tokens: () => openOAuth(limits),
              tokensOf,
            }),
          openCloud,
        }),
      );
    },
    async close() {
      for (const close of closers.splice(0).reverse()) await close();
    },
  };
}

/** What the client of the Admin API asks the brokers for. */
function besideKafka(
  { command }: Pick<ClientParts, 'command'>,
  config: () => Promise<Config>,
  kafka: () => Promise<Kafka>,
): Pick<AdminOptions, 'announcedBrokers' | 'whenRefused'> {
  const isSet = async (key: 'brokers' | 'admin.hosts') => (await config()).setting(key).source !== 'default';
  return {
    // Only brokers that somebody has configured may name hosts that get credentials.
    announcedBrokers: once(async () => {
      if (!(await isSet('brokers'))) return [];
      return (await (await kafka()).clusterInfo('none')).brokers;
    }),
    async whenRefused(error) {
      if (await isSet('admin.hosts')) return error;
      const asked = kafka().then((opened) => opened.isRedpanda());
      // Redpanda whose Admin API is down, a cluster without an id and brokers that do not answer keep the refusal.
      const isRedpanda = await asked.catch(() => undefined);
      return isRedpanda === false ? noAdminApi(command, error) : error;
    },
  };
}
