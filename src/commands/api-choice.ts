import { flag } from '../cli/command.ts';
import type { Context } from '../context.ts';
import { CliError, withHints } from '../errors.ts';
import { oneOf } from '../kinds.ts';

/** An API that can do what a command is for. */
export type ChosenApi = 'kafka' | 'admin';

/** The flag that forces one of the two APIs. */
export const apiFlag = flag(oneOf('API', ['kafka', 'admin']), {
  help: 'API to use (default: admin for a Redpanda cluster, kafka for any other)',
});

/** What the help of a command with the flag `--api` says about the choice. */
export const apiHelp = `Uses the Admin API of a Redpanda cluster and the Kafka API of any other: the brokers say which one it is. If only
admin.hosts is set, uses the Admin API without asking the brokers. --api forces one.`;

/**
 * Decides which API a command uses: the given one; the Admin API if it is the only one that is configured; otherwise the
 * Admin API for Redpanda, which offers its configuration, users and health there, and the Kafka API for other clusters.
 * @throws CliError if the brokers have to be asked and do not answer
 */
export async function chooseApi(context: Context, asked: ChosenApi | undefined): Promise<ChosenApi> {
  if (asked !== undefined) return asked;
  const config = await context.config();
  const isSet = (key: 'brokers' | 'admin.hosts') => config.setting(key).source !== 'default';
  if (isSet('admin.hosts') && !isSet('brokers')) {
    context.step('using the Admin API: admin.hosts is set, and brokers is not');
    return 'admin';
  }
  const chosen = (await askBrokers(context, isSet('admin.hosts'))) ? 'admin' : 'kafka';
  context.step(`using the ${chosen === 'admin' ? 'Admin API: the cluster is Redpanda' : 'Kafka API'}`);
  return chosen;
}

async function askBrokers(context: Context, hasAdmin: boolean): Promise<boolean> {
  const kafka = await context.kafka();
  try {
    return (await kafka.isRedpanda()) ?? false;
  } catch (error) {
    if (!hasAdmin || !(error instanceof CliError)) throw error;
    throw withHints(error, ['to use the Admin API without asking the brokers, add: --api admin']);
  }
}

/** The words that repeat a given `--api` in a command that a hint names. */
export function apiWords(asked: ChosenApi | undefined): string {
  return asked === undefined ? '' : ` --api ${asked}`;
}
