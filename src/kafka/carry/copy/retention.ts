import { grouped } from '../../../format/count.ts';
import { tellDuration } from '../../../format/duration.ts';
import { commandText } from '../../../format/shell-word.ts';
import { type ConfigsByKey, readSomeConfigs } from '../../cluster/topics/configs.ts';
import type { Client } from '../../protocol/client/client.ts';
import { askOffsets } from '../../protocol/partitions/offsets.ts';
import { offsetTimes } from '../../protocol/wire/apis/list-offsets.ts';
import { hintAt, placeName } from './errors.ts';
import type { PlannedPair } from './pair.ts';
import type { CopyRequest } from './request.ts';

const keys = ['cleanup.policy', 'message.timestamp.type', 'retention.ms'] as const;

/** Warns of records that the brokers of the destination delete soon after they are copied, because records keep their times. */
export async function warnOfRetention(
  source: Client,
  request: CopyRequest,
  pairs: readonly PlannedPair[],
): Promise<void> {
  if (pairs.length === 0) return;
  const { client } = request.target;
  const configs = await readSomeConfigs(
    client,
    pairs.map(({ target }) => target.name),
    keys,
  );
  await Promise.all(
    pairs.map(async (pair) => {
      const keptMs = retentionOf(configs.get(pair.target.name));
      const records = keptMs === undefined ? 0n : await countOlder(source, pair, keptMs);
      if (keptMs !== undefined && records > 0n) request.warn(warning(request, pair, { keptMs, records }));
    }),
  );
}

/** How long a topic keeps records by their times, in milliseconds; undefined for ever, or if that is not known. */
function retentionOf(configs: ConfigsByKey | undefined): number | undefined {
  const [policy, type, retention] = keys.map((key) => configs?.get(key)?.value ?? '');
  const keptMs = Number(retention || -1);
  return policy?.includes('delete') && type !== 'LogAppendTime' && keptMs >= 0 ? keptMs : undefined;
}

/**
 * The offsets to copy before the first record that is not older, which is what brokers find. Some may have no record,
 * and later records may be older as well. Those before the first record of all have none: compaction has removed it.
 */
async function countOlder(client: Client, { source, starts }: PlannedPair, keptMs: number): Promise<bigint> {
  const since = BigInt(client.options.deadline.clock.wallTime() - keptMs);
  if (since <= 0n) return 0n;
  const [firsts, cuts, ends] = await Promise.all(
    [0n, since, offsetTimes.latest].map((time) => askOffsets(client, [source], { time, isolation: 'uncommitted' })),
  );
  return starts.reduce((sum, { partition, offset, end }) => {
    const [first = -1n, cut, latest] = [firsts, cuts, ends].map(
      (answers) => answers?.get(source.name)?.get(partition)?.offset ?? -1n,
    );
    const from = first > offset ? first : offset;
    const until = least([cut, latest, end].filter((one) => one !== undefined && one >= 0n));
    return until > from ? sum + until - from : sum;
  }, 0n);
}

function least(offsets: readonly (bigint | undefined)[]): bigint {
  return offsets.reduce<bigint>((least, one = least) => (least < 0n || one < least ? one : least), -1n);
}

function warning(
  { profile, target }: CopyRequest,
  pair: PlannedPair,
  { keptMs, records }: { readonly keptMs: number; readonly records: bigint },
): string {
  const [from, to] = [placeName(pair.source.name, profile), placeName(pair.target.name, target.profile)];
  const mend = hintAt(target.profile, commandText`weir topic alter-config ${pair.target.name} --set retention.ms=-1`);
  return (
    `the copy of topic "${from}" begins with about ${grouped(Number(records), 'record')} older than the retention.ms of ` +
    `"${to}" (${tellDuration(BigInt(keptMs) * 1_000_000n)}), whose brokers delete them soon after they are copied; ` +
    `to keep them: ${mend}`
  );
}
