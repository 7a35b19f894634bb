import { flag } from '../cli/command.ts';
import type { Context } from '../context.ts';
import { oneOf } from '../kinds.ts';

/** An API that can do what a command is for. */
export type ChosenApi = 'kafka' | 'admin';

/** The flag that forces one of the two APIs. */
export const apiFlag = flag(oneOf('API', ['kafka', 'admin']), {
  help: 'API to use (default: admin if admin.hosts is set or the cluster is Redpanda, otherwise kafka)',
});

/** What the help of a command with the flag `--api` says about the choice. */
export const apiHelp = `Uses the Admin API if admin.hosts is set. Otherwise the brokers say what they are: the Admin API is used for a Redpanda
cluster, and the Kafka API for any other. --api forces one.`;

/**
 * Decides which API a command uses: the given one; the Admin API if its address is configured, as by commands that have
 * no choice; otherwise the Admin API for Redpanda, which offers its configuration, users and health there, and the Kafka
 * API for other clusters.
 * @throws CliError if the brokers have to be asked and do not answer
 */
export async function chooseApi(context: Context, asked: ChosenApi | undefined): Promise<ChosenApi> {
  if (asked !== undefined) return asked;
  const config = await context.config();
  if (config.setting('admin.hosts').source !== 'default') {
    context.step('using the Admin API: admin.hosts is set');
    return 'admin';
  }
  const isRedpanda = await (await context.kafka()).isRedpanda();
  context.step(`using the ${isRedpanda === true ? 'Admin API: the cluster is Redpanda' : 'Kafka API'}`);
  return isRedpanda === true ? 'admin' : 'kafka';
}

/** The words that repeat a given `--api` in a command that a hint names. */
export function apiWords(asked: ChosenApi | undefined): string {
  return asked === undefined ? '' : ` --api ${asked}`;
}
