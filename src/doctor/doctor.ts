import type { Cloud } from '../cloud/open.ts';
import type { Deadline } from '../deadline.ts';
import { CliError } from '../errors.ts';
import type { KafkaOptions } from '../kafka/protocol/options.ts';
import { startChain } from './chain.ts';
import type { Check, CheckedApi } from './check-rows.ts';
import { checkHttpApi, type HttpApi } from './http-api.ts';
import { checkKafka } from './kafka/kafka.ts';

/** An API that is configured, or why it is not checked. `open` throws what is wrong with its configuration. */
export type Configured<T> =
  | {
      readonly open: () => Promise<T>;
      /** What to know about its configuration, although nothing is wrong with it. */
      readonly remark?: string | undefined;
    }
  | { readonly skipped: string };

/** What is configured. */
export interface DoctorOptions {
  readonly deadline: Deadline;
  /** The only API to check; undefined: all. */
  readonly only?: CheckedApi | undefined;
  readonly kafka: Configured<KafkaOptions>;
  readonly admin: Configured<HttpApi>;
  readonly registry: Configured<HttpApi>;
  readonly cloud: Configured<Cloud>;
}

/**
 * Checks all configured APIs, or one of them, at the same time; returns the checks in a fixed order.
 * @throws the reason of the deadline's signal if the command was interrupted, or timed out before a check could fail
 */
export async function checkAll(options: DoctorOptions): Promise<readonly Check[]> {
  const { deadline, only, kafka, admin, registry, cloud } = options;
  let isRedpanda: boolean | undefined;
  const checkOf = async (api: CheckedApi): Promise<readonly Check[]> => {
    if (api === 'admin') return await checkApi('admin', admin, deadline, checkHttpApi);
    if (api === 'registry') return await checkApi('registry', registry, deadline, checkHttpApi);
    if (api === 'cloud') return await checkApi('cloud', cloud, deadline, (opened) => checkCloud(opened, options));
    return await checkApi('kafka', kafka, deadline, async (given) => {
      const result = await checkKafka(given);
      isRedpanda = result.isRedpanda;
      return result.checks;
    });
  };
  const checkEach = async (): Promise<readonly Check[]> => {
    const checkedKafka = checkOf('kafka');
    const results = await Promise.all([
      checkedKafka,
      // Whether an Admin API is missing is known only when the brokers have answered.
      'skipped' in admin
        ? checkedKafka.then(() => skipApi('admin', withoutAdmin(admin.skipped, isRedpanda), deadline))
        : checkOf('admin'),
      checkOf('registry'),
      checkOf('cloud'),
    ]);
    return results.flat();
  };
  const checks = await (only === undefined ? checkEach() : checkOf(only));
  // Without a failed check, the result would look like a success.
  if (!checks.some(({ status }) => status === 'failed')) deadline.signal.throwIfAborted();
  return checks;
}

/** Why the Admin API is not checked: only Redpanda has one. */
function withoutAdmin(reason: string, isRedpanda: boolean | undefined): string {
  return isRedpanda === false ? 'not needed: the cluster is not Redpanda, so it has no Admin API' : reason;
}

function skipApi(api: CheckedApi, reason: string, deadline: Deadline): readonly Check[] {
  const chain = startChain({ api, target: null, peer: '' }, deadline);
  chain.skip('config', reason);
  return chain.checks;
}

async function checkApi<T>(
  api: CheckedApi,
  configured: Configured<T>,
  deadline: Deadline,
  check: (options: T) => Promise<readonly Check[]>,
): Promise<readonly Check[]> {
  if ('skipped' in configured) return skipApi(api, configured.skipped, deadline);
  const startedAt = deadline.clock.now();
  try {
    const checks = await check(await configured.open());
    return configured.remark === undefined ? checks : [...remarked(api, configured.remark, deadline), ...checks];
  } catch (error) {
    const chain = startChain({ api, target: null, peer: '' }, deadline);
    chain.fail('config', error, deadline.clock.now() - startedAt);
    return chain.checks;
  }
}

function remarked(api: CheckedApi, detail: string, deadline: Deadline): readonly Check[] {
  const chain = startChain({ api, target: null, peer: '' }, deadline);
  chain.add('config', { detail }, 0);
  return chain.checks;
}

/** Checks that there is a token for the control plane, and that the control plane accepts it. */
async function checkCloud(
  cloud: Cloud,
  { deadline, only }: Pick<DoctorOptions, 'deadline' | 'only'>,
): Promise<readonly Check[]> {
  const target = cloud.addresses.apiUrl;
  const chain = startChain({ api: 'cloud', target, peer: '' }, deadline);
  const startedAt = deadline.clock.now();
  try {
    await cloud.token();
    chain.add('token', { detail: `a token for ${cloud.addresses.audience}` }, deadline.clock.now() - startedAt);
  } catch (error) {
    if (only === undefined && isLoggedOut(error)) {
      chain.skip('token', 'not logged in');
      return chain.checks;
    }
    chain.fail('token', error, deadline.clock.now() - startedAt);
  }
  await chain.run('authorization', async () => {
    const { length } = await cloud.listResourceGroups();
    return { value: undefined, detail: length === 1 ? 'sees 1 resource group' : `sees ${length} resource groups` };
  });
  return chain.checks;
}

function isLoggedOut(error: unknown): boolean {
  return error instanceof CliError && error.code === 'NOT_LOGGED_IN';
}
