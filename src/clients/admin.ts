import type { AdminOptions } from '../admin/client/api.ts';
import { type CliError, rephrased } from '../errors.ts';
import { type HttpApiParts, httpApiOptions } from './http-api.ts';

/**
 * Builds the options of the client of the Admin API from the configuration.
 * @throws CliError if there is no address
 */
export async function adminOptions(given: HttpApiParts): Promise<AdminOptions> {
  return await httpApiOptions('admin', given);
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
export function noAdminApi(command: string, error: CliError): CliError {
  const instead = overKafka.find(([start]) => command.startsWith(start))?.[1];
  return rephrased(error, `${command} needs the Admin API of Redpanda, and this cluster is not Redpanda`, {
    code: 'NO_ADMIN_API',
    retryable: false,
    hints: [
      ...(instead === undefined ? [] : [`over the Kafka API, use: ${instead}`]),
      'if the cluster has an Admin API after all, set its address with -X admin.hosts=HOST:PORT',
    ],
  });
}
