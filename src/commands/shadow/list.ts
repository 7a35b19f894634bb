import { ShadowLink } from '../../admin/shadow/link-rows.ts';
import { listCommand } from '../../cli/forms/read.ts';
import { int64, maybe, row, whole } from '../../shape/shape.ts';
import { totalLag, withAllPartitions } from './lag.ts';

const { name, uid, state } = ShadowLink.fields;

/** `shadow list` */
export const list = listCommand({
  summary: 'List the shadow links of the cluster',
  description: `A shadow link copies topics from another cluster, its source, to this one. LAG is the number of records that the
source has and this cluster has not, over all topics of the link; it is - if it is not known of a partition.`,
  examples: [
    ['All links', 'shadow list'],
    ['For a script', 'shadow list --format json'],
  ],
  aliases: ['ls'],
  apis: ['admin'],
  row: row({
    name,
    uid,
    state: state.shape,
    topics: whole,
    /** Null if it is not known of a partition. */
    lag: maybe(int64),
  }),
  async read(context) {
    const links = await (await context.admin()).shadowLinks();
    return await Promise.all(
      links.map(async ({ name, uid, state, topics }) => {
        return { name, uid, state, topics: topics.length, lag: totalLag(await withAllPartitions(context, topics)) };
      }),
    );
  },
  columns: ['name', 'uid', 'state', 'topics', 'lag'],
});
