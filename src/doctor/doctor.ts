import type { Cloud } from '../cloud/open.ts';
import type { Deadline } from '../deadline.ts';
import type { KafkaOptions } from '../kafka/options.ts';
import { startChain } from './chain.ts';
import type { Check, CheckedApi } from './check-rows.ts';
import { checkCloud } from './cloud.ts';
import { checkHttpApi, type HttpApi } from './http-api.ts';
import { checkKafka } from './kafka/kafka.ts';

/** An API that is configured, or why it is not checked. `open` throws what is wrong with its configuration. */
export type Configured<T> = { readonly open: () => Promise<T> } | { readonly skipped: string };

/** What is configured. */
export interface DoctorOptions {
  readonly deadline: Deadline;
  readonly kafka: Configured<KafkaOptions>;
  readonly admin: Configured<HttpApi>;
  readonly registry: Configured<HttpApi>;
  readonly cloud: Configured<Cloud>;
}

/**
 * Checks all configured APIs at the same time; returns the checks in a fixed order.
 * @throws the reason of the deadline's signal if the command was interrupted, or timed out before a check could fail
 */
export async function checkAll({ deadline, kafka, admin, registry, cloud }: DoctorOptions): Promise<readonly Check[]> {
  let isRedpanda: boolean | undefined;
  const checkedKafka = checkApi('kafka', kafka, deadline, async (options) => {
    const found = await checkKafka(options);
    isRedpanda = found.isRedpanda;
    return found.checks;
  });
  const results = await Promise.all([
    checkedKafka,
    // Whether an Admin API is missing is known only when the brokers have answered.
    'skipped' in admin
      ? checkedKafka.then(() => skipApi('admin', withoutAdmin(admin.skipped, isRedpanda), deadline))
      : checkApi('admin', admin, deadline, checkHttpApi),
    checkApi('registry', registry, deadline, checkHttpApi),
    checkApi('cloud', cloud, deadline, (opened) => checkCloud(opened, deadline)),
  ]);
  const checks = results.flat();
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
    return await check(await configured.open());
  } catch (error) {
    const chain = startChain({ api, target: null, peer: '' }, deadline);
    chain.fail('config', error, deadline.clock.now() - startedAt);
    return chain.checks;
  }
}
