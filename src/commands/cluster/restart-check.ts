import { apiFlag, byApi } from '../../cli/by-api.ts';
import { flag, one, toggle } from '../../cli/command.ts';
import type { Context } from '../../context.ts';
import { CliError, exitCodes, usageError } from '../../errors.ts';
import { sections } from '../../format/sections.ts';
import { healthCell } from '../../format/style.ts';
import { table } from '../../format/table.ts';
import type { View } from '../../format/view.ts';
import { RestartCheck, type RestartRisks } from '../../kafka/cluster/brokers/restart-rows.ts';
import { brokerId, duration } from '../../kinds.ts';
import { listRow, type Row } from './health-text.ts';
import { watchState } from './watch.ts';

/** What is asked about a restart. */
interface Question {
  readonly broker: number;
  readonly after: boolean;
  readonly ignoreRf1: boolean;
}

/** `cluster restart-check` */
export const restartCheck = byApi({
  summary: 'Check whether a broker can be restarted, or has recovered from its restart',
  description: `Lists the partitions that would be offline or refuse records while the broker is down, and those that may lose
records. Exits with 10 if there are any.

With --after, waits until every replica of the broker is in sync, so that the next broker can be restarted. A broker that
does not answer yet has not recovered. weir cannot tell whether the broker has been restarted: if your restart command
returns early, first wait until the broker is down. The command timeout does not apply.`,
  examples: [
    ['Before a restart', 'cluster restart-check 1'],
    ['After it, for ten minutes at most', 'cluster restart-check 1 --after --wait-timeout 10m'],
    ['The partitions at risk, for a script', 'cluster restart-check 1 --format json'],
  ],
  args: { broker: one(brokerId, 'BROKER', 'id of the broker') },
  flags: {
    api: apiFlag,
    after: toggle({ help: 'wait until every replica of the broker is in sync' }),
    waitTimeout: flag(duration, { help: 'maximum time to wait, with --after (default: no limit)' }),
    ignoreRf1: toggle({ help: 'list partitions with one replica, but do not count them as a risk' }),
  },
  result: RestartCheck,
  kafka: {
    help: `Brokers of Apache Kafka have no such check, so weir derives it from the replicas in sync, min.insync.replicas and
unclean.leader.election.enable of the topics that the principal may describe.`,
    async run(context, question) {
      const kafka = await context.kafka();
      if ((await kafka.isRedpanda()) === true)
        throw usageError('the check needs the Admin API: the Kafka API of Redpanda does not tell how partitions are', {
          hints: ['use it with: --api admin'],
        });
      return await checked('kafka', question, kafka);
    },
  },
  admin: {
    help: `Over the Admin API, the broker itself answers (Redpanda 25.1 and newer), from reports of all brokers that can
be old. So with --after, every replica must be in sync for 25s, or for 2.5 times the property health_monitor_max_metadata_age.`,
    examples: [
      ['Although partitions with one replica will be offline', 'cluster restart-check 1 --ignore-rf1 --api admin'],
    ],
    run: async (context, question) => await checked('admin', question, await context.admin()),
  },
  async repeat(context, { broker, after, waitTimeout }, once) {
    if (after) return await recovered(context, { broker, waitTimeout }, once);
    if (waitTimeout === undefined) return await once();
    throw usageError('--wait-timeout needs --after', { target: '--wait-timeout' });
  },
  show: {
    text: (check, view) => checkText(check, view),
    exitCode: (check) => (check.is_safe || check.recovered ? exitCodes.ok : exitCodes.checkFailed),
  },
});

/** The calls about restarts, which both APIs have. */
interface RestartCalls {
  restartRisks(broker: number): Promise<RestartRisks>;
  inSyncPercent(broker: number): Promise<number>;
}

async function checked(
  api: RestartCheck['api'],
  { broker, after, ignoreRf1 }: Question,
  calls: RestartCalls,
): Promise<RestartCheck> {
  const blank = { rf1_offline: null, unavailable: null, full_acks_produce_unavailable: null, acks1_data_loss: null };
  if (after) {
    const percent = await calls.inSyncPercent(broker);
    return { broker, api, is_safe: null, recovered: percent >= 100, ...blank, in_sync_percent: percent };
  }
  const risks = await calls.restartRisks(broker);
  const { rf1_offline: offline, ...others } = risks;
  const counted = [...(ignoreRf1 ? [] : [offline]), ...Object.values(others)];
  const isSafe = counted.every((partitions) => partitions.length === 0);
  return { broker, api, is_safe: isSafe, recovered: null, ...sortedRisks(risks), in_sync_percent: null };
}

function sortedRisks(risks: RestartRisks): RestartRisks {
  return {
    rf1_offline: risks.rf1_offline.toSorted(),
    unavailable: risks.unavailable.toSorted(),
    full_acks_produce_unavailable: risks.full_acks_produce_unavailable.toSorted(),
    acks1_data_loss: risks.acks1_data_loss.toSorted(),
  };
}

/** Waits for the end of a restart, and shows only that. */
async function recovered(
  context: Context,
  { broker, waitTimeout }: { readonly broker: number; readonly waitTimeout: bigint | undefined },
  once: () => Promise<RestartCheck>,
): Promise<RestartCheck> {
  const progress = context.progress(`the recovery of broker ${broker}`);
  const share = ({ in_sync_percent: percent }: RestartCheck) => `${percent}% of its replicas are in sync`;
  const deadline = await context.deadline();
  let recoveredAt: number | undefined;
  let ageMs: number | undefined;
  try {
    const states = watchState(
      {
        what: `the state of broker ${broker}`,
        async read() {
          try {
            const state = await once();
            if (isRecovered(state)) ageMs ??= state.api === 'admin' ? await reportAgeMs(context) : 0;
            return state;
          } catch (error) {
            recoveredAt = undefined;
            throw error;
          }
        },
        textOf: share,
        isEnd(state) {
          const now = deadline.clock.now();
          recoveredAt = isRecovered(state) ? (recoveredAt ?? now) : undefined;
          return recoveredAt !== undefined && now - recoveredAt >= (ageMs ?? 0);
        },
        waitTimeout,
        missed: `broker ${broker} had not recovered`,
        why: share,
      },
      deadline,
    );
    let last: RestartCheck | undefined;
    for await (const state of states) {
      progress.report({ detail: share(state) });
      last = state;
    }
    if (last === undefined) throw new Error('a watch with an end has a state');
    return last;
  } finally {
    progress.end();
  }
}

/**
 * How old what is answered can be, in milliseconds. A broker asks the others again after the time of this property, and they
 * answer from reports of the same age, which can be from before a quick restart, and are made a little later
 * (redpanda commit 1b95a07c: src/v/cluster/health_monitor_backend.cc:347, 678 and 1008). Only superusers may read the property.
 */
async function reportAgeMs(context: Context): Promise<number> {
  const age = await propertyOf(context, 'health_monitor_max_metadata_age');
  return 2.5 * Number(age ?? 10_000);
}

async function propertyOf(context: Context, name: string): Promise<unknown> {
  try {
    return (await (await context.admin()).configuration()).values.get(name);
  } catch (error) {
    if (error instanceof CliError && error.exitCode === exitCodes.auth) return undefined;
    throw error;
  }
}

function isRecovered({ recovered }: RestartCheck): boolean {
  return recovered === true;
}

const asked = { admin: 'the broker (Admin API)', kafka: 'weir, from metadata and configs (Kafka API)' } as const;

function checkText(check: RestartCheck, view: View): string {
  const { broker, is_safe: isSafe, in_sync_percent: percent } = check;
  const isAfter = isSafe === null;
  const isGood = isAfter ? isRecovered(check) : isSafe;
  const rows: readonly Row[] = [
    [isAfter ? 'All in sync:' : 'Safe to restart:', healthCell(String(isGood), isGood ? 'good' : 'bad')],
    ['Checked by:', asked[check.api]],
    ...(isAfter ? [['Replicas in sync:', `${percent}%`] as const] : []),
    ...listRow('Offline, with one replica', check.rf1_offline, check.rf1_offline?.length),
    ...listRow('Unavailable', check.unavailable, check.unavailable?.length),
    ...listRow('Refusing acks=all', check.full_acks_produce_unavailable, check.full_acks_produce_unavailable?.length),
    ...listRow('May lose records', check.acks1_data_loss, check.acks1_data_loss?.length),
  ];
  const title = isAfter ? `replicas of broker ${broker}` : `restart of broker ${broker}`;
  return sections([{ title, body: table([], rows, { ...view, noHeaders: true }) }], view, 'always');
}
