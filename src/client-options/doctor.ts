import type { Cloud } from '../cloud/open.ts';
import type { Config } from '../config/config.ts';
import { requireAddresses } from '../config/resolve/resolve.ts';
import { type Deadline, withoutRetries } from '../deadline.ts';
import type { Configured, DoctorOptions } from '../doctor/doctor.ts';
import type { HttpApi } from '../doctor/http-api.ts';
import { stateDirectory, variable } from '../files/locations.ts';
import type { KafkaOptions } from '../kafka/options.ts';
import type { Credentials } from '../net/json-api/call.ts';
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
}

/** The fixed properties of the HTTP APIs. */
const httpApis = {
  admin: { server: 'Admin API', path: '/v1/status/ready' },
  registry: { server: 'schema registry', path: '/schemas/types' },
} as const;

/** Builds the options of a checkup: an API whose addresses or credentials no source sets is not checked. */
export function doctorOptions(given: DoctorParts): DoctorOptions {
  const { config, deadline, parts } = given;
  return {
    deadline,
    kafka: kafkaOf(given),
    admin: httpApiOf('admin', given),
    registry: httpApiOf('registry', given),
    cloud: mayUseCloud(config, parts.host)
      ? { open: () => given.openCloud(withoutRetries(deadline)) }
      : { skipped: 'this machine has no directory for logins' },
  };
}

/** The brokers at their default address are checked only if nothing else is configured. */
function kafkaOf({ config, parts, deadline, kafka }: DoctorParts): Configured<KafkaOptions> {
  const others = [isSet(config, 'admin.hosts'), isSet(config, 'registry.hosts'), hasCloud(config, parts.host)];
  if (!isSet(config, 'brokers') && others.includes(true)) return { skipped: 'brokers is not set' };
  return { open: () => kafka(withoutRetries(deadline)) };
}

function httpApiOf(
  api: 'admin' | 'registry',
  { config, deadline, parts, credentials }: DoctorParts,
): Configured<HttpApi> {
  if (!isSet(config, `${api}.hosts`)) return { skipped: `${api}.hosts is not set` };
  const { host, trace } = parts;
  return {
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

function isSet(config: Config, key: 'brokers' | 'admin.hosts' | 'registry.hosts'): boolean {
  return config.setting(key).source !== 'default';
}

/** Whether credentials for the control plane are configured; a stored login is found only by opening the client. */
function hasCloud(config: Config, host: ClientParts['host']): boolean {
  return config.get('cloud.client_id') !== '' || variable(host, 'WEIR_CLOUD_TOKEN') !== undefined;
}

function mayUseCloud(config: Config, host: ClientParts['host']): boolean {
  return hasCloud(config, host) || stateDirectory(host) !== undefined;
}
