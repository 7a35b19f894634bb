import type { Cloud } from '../cloud/open.ts';
import type { Config } from '../config/config.ts';
import { requireAddresses } from '../config/resolve.ts';
import { mixedSources, mixedText } from '../config/settings/checks.ts';
import { addressKeys } from '../config/settings/merge.ts';
import { type Deadline, withoutRetries } from '../deadline.ts';
import type { CheckedApi } from '../doctor/check-rows.ts';
import type { Configured, DoctorOptions } from '../doctor/doctor.ts';
import type { HttpApi } from '../doctor/http-api.ts';
import { stateDirectory, variable } from '../files/locations.ts';
import type { KafkaOptions } from '../kafka/protocol/options.ts';
import type { Credentials } from '../net/json-api/credentials.ts';
import { proxySettings, tlsOptions } from './kafka.ts';
import type { ClientParts } from './parts.ts';

/** What the options of a checkup are made from. */
interface DoctorParts {
  readonly parts: Pick<ClientParts, 'host' | 'trace'>;
  readonly config: Config;
  readonly deadline: Deadline;
  /** @param limits those of requests for tokens */
  kafka(limits: Deadline): Promise<KafkaOptions>;
  /** What signs in to an HTTP API. */
  credentials(api: 'admin' | 'registry', limits: Deadline): Promise<Credentials | undefined>;
  openCloud(deadline: Deadline): Promise<Cloud>;
  /** The only API to check; undefined: all. */
  readonly only: CheckedApi | undefined;
}

/** The fixed properties of the HTTP APIs. */
const httpApis = {
  admin: { server: 'Admin API', path: '/v1/status/ready', certainPath: '/v1/brokers' },
  registry: { server: 'schema registry', path: '/schemas/types', certainPath: '/subjects' },
} as const;

/** Builds the options of a checkup: an API of which the configuration says nothing is not checked, unless it is named. */
export function doctorOptions(parts: DoctorParts): DoctorOptions {
  return {
    deadline: parts.deadline,
    only: parts.only,
    kafka: kafkaOf(parts),
    admin: httpApiOf('admin', parts),
    registry: httpApiOf('registry', parts),
    cloud: cloudOf(parts),
  };
}

/** The brokers at their default address are checked only if nothing else is configured. */
function kafkaOf({ config, only, parts, deadline, kafka }: DoctorParts): Configured<KafkaOptions> {
  const others = [isSet(config, 'admin.hosts'), isSet(config, 'registry.hosts'), namesCloud(config, parts.host)];
  if (only === undefined && !isSet(config, 'brokers') && others.includes(true))
    return { skipped: 'brokers is not set' };
  return { open: () => kafka(withoutRetries(deadline)), remark: remarkOf(config, 'kafka') };
}

/** A login that is kept on this machine may be for another profile: it is checked if nothing else is configured. */
function cloudOf({ config, only, parts, deadline, openCloud }: DoctorParts): Configured<Cloud> {
  const isNamed = only !== undefined || namesCloud(config, parts.host);
  if (!isNamed && addressKeys.some((key) => isSet(config, key)))
    return { skipped: 'no cloud option is set; to check it anyway: weir doctor cloud' };
  if (!isNamed && stateDirectory(parts.host) === undefined)
    return { skipped: 'this machine has no directory for logins' };
  return { open: () => openCloud(withoutRetries(deadline)), remark: remarkOf(config, 'cloud') };
}

function remarkOf(config: Config, api: CheckedApi): string | undefined {
  const mixed = mixedSources(config.setting).filter((one) => one.api === api);
  return mixed.length === 0 ? undefined : mixedText(mixed);
}

function httpApiOf(
  api: 'admin' | 'registry',
  { config, only, deadline, parts, credentials }: DoctorParts,
): Configured<HttpApi> {
  if (only === undefined && !isSet(config, `${api}.hosts`)) return { skipped: `${api}.hosts is not set` };
  const { host, trace } = parts;
  return {
    remark: remarkOf(config, api),
    open: async () => ({
      api,
      ...httpApis[api],
      addresses: requireAddresses(config, `${api}.hosts`),
      credentials: await credentials(api, withoutRetries(deadline)),
      deadline,
      trace,
      usesTls: config.get(`${api}.tls.enabled`),
      tls: tlsOptions(config, `${api}.tls`, host),
      proxy: proxySettings(config, host),
    }),
  };
}

function isSet(config: Config, key: (typeof addressKeys)[number]): boolean {
  return config.setting(key).source !== 'default';
}

/** Whether the configuration says anything about the control plane. */
function namesCloud({ settings }: Config, host: ClientParts['host']): boolean {
  const isSetThere = settings.some(({ key, source }) => key.startsWith('cloud.') && source !== 'default');
  return isSetThere || variable(host, 'WEIR_CLOUD_TOKEN') !== undefined;
}
