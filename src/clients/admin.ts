import type { AdminOptions } from '../admin/client/api.ts';
import type { Config } from '../config/config.ts';
import { type CliError, exitCodes, rephrased } from '../errors.ts';
import type { Kafka } from '../kafka/open.ts';
import { once } from '../once.ts';
import type { ClientParts } from './parts.ts';

/** How the brokers beside the Admin API are reached. */
interface BrokersOf {
  readonly parts: Pick<ClientParts, 'command'>;
  readonly config: () => Promise<Config>;
  readonly kafka: () => Promise<Kafka>;
}

/** What the client of the Admin API asks the brokers for. */
export function besideKafka({
  parts,
  config,
  kafka,
}: BrokersOf): Required<Pick<AdminOptions, 'announcedBrokers' | 'whenRefused'>> {
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
      return isRedpanda === false ? noAdminApi(parts.command, error) : error;
    },
  };
}

/** What does the same or most of it over the Kafka API, by the beginning of a command; the first match counts. */
const overKafka: readonly (readonly [command: string, instead: string])[] = [
  ['weir cluster brokers list', 'weir cluster info'],
  ['weir redpanda admin brokers list', 'weir cluster info'],
  ['weir cluster config', 'weir cluster config list --api kafka'],
  ['weir cluster health', 'weir cluster health --api kafka'],
  ['weir cluster partitions move', 'weir topic reassign'],
  ['weir cluster partitions transfer-leadership', 'weir topic elect-leaders'],
  ['weir cluster partitions list', 'weir topic describe'],
  ['weir topic describe-storage', 'weir topic describe TOPIC -z'],
  ['weir security role', 'weir security acl'],
  ['weir security user', 'weir security user --api kafka'],
];

/**
 * Returns the error of a command that found nobody at the default address of the Admin API, although the brokers answer and
 * are not Redpanda.
 */
function noAdminApi(command: string, error: CliError): CliError {
  const instead = overKafka.find(([start]) => command.startsWith(start))?.[1];
  return rephrased(error, 'this command needs the Admin API of Redpanda, and this cluster is not Redpanda', {
    exitCode: exitCodes.failure,
    code: 'NO_ADMIN_API',
    retryable: false,
    hints: [
      ...(instead === undefined ? [] : [`over the Kafka API, use: ${instead}`]),
      'if the cluster has an Admin API after all, set its address with -X admin.hosts=HOST:PORT',
    ],
  });
}
