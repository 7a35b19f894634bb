import type { CliError } from '../../errors.ts';
import type { BrokerMetadata, ClusterMetadata } from '../../kafka/protocol/client/client.ts';
import { unreachableListener } from '../../kafka/protocol/client/router.ts';
import { brokerName } from '../../kafka/protocol/transport/connection.ts';
import { showHostPort } from '../../net/address.ts';
import { type Chain, startChain } from '../chain.ts';
import type { Check } from '../check-rows.ts';
import { checkMetadata, isOther, otherCluster } from './cluster.ts';
import { checkConnection, type KafkaParts } from './connect.ts';

/** What the first seed broker that answered has reported. */
export interface Reported {
  readonly seed: string;
  readonly answer: ClusterMetadata;
  /** The addresses of the seed brokers that have passed every check. */
  readonly passed: ReadonlySet<string>;
}

/** Checks the listener that a broker advertises: every step from DNS to metadata, as one check. */
export async function checkListener(
  parts: KafkaParts,
  broker: BrokerMetadata,
  reported: Reported,
): Promise<readonly Check[]> {
  const { deadline } = parts.options;
  const address = { host: broker.host, port: broker.port };
  const name = `${broker.id} (${showHostPort(address)})`;
  const target = { api: 'kafka', target: name, peer: brokerName(address, broker.id) } as const;
  const shown = startChain(target, deadline);
  const startedAt = deadline.clock.now();
  const spent = (): number => deadline.clock.now() - startedAt;
  if (shown.isOver) shown.skip('listener', '');
  else if (reported.passed.has(showHostPort(address))) {
    shown.add('listener', { detail: 'the same address as a seed broker' }, 0);
  } else {
    const steps = startChain(target, deadline);
    const connection = await checkConnection(steps, parts, { address, nodeId: broker.id });
    const answer = await checkMetadata(steps, connection);
    if (answer !== undefined && isOther(answer, reported.answer)) {
      steps.fail('metadata', otherCluster(answer, reported.answer, reported.seed), spent());
    }
    if (steps.failure === undefined) sum(shown, steps, spent());
    else shown.fail('listener', errorOf(steps.failure, broker, reported.seed), spent());
  }
  return shown.checks;
}

/** Adds the advice for an advertised address, unless the whole command has timed out. */
function errorOf(failure: CliError, broker: BrokerMetadata, seed: string): unknown {
  if (failure.code === 'COMMAND_TIMEOUT') return failure;
  return unreachableListener(failure, broker, `seed broker ${seed}`);
}

/** Adds the one check for a listener whose steps have all passed, with their warnings. */
function sum(shown: Chain, { checks }: Chain, milliseconds: number): void {
  const doubtful = checks.filter(({ status }) => status === 'warning');
  const detail = doubtful.length === 0 ? 'every step up to metadata' : doubtful.map((one) => one.detail).join('; ');
  const warning = doubtful.flatMap(({ hints }) => hints);
  shown.add('listener', { detail, ...(doubtful.length > 0 && { warning }) }, milliseconds);
}
