import { flag, noun } from '../../cli/command.ts';
import { listCommand } from '../../cli/forms/read.ts';
import { apiWord, words } from '../../cloud/api/cloud-words.ts';
import type { Region } from '../../cloud/cloud-rows.ts';
import { wordKind } from './kinds.ts';
import { regionView, viewColumns } from './views.ts';

const list = listCommand({
  summary: 'List the regions where clusters and networks can be created',
  description: `Lists the regions of all cloud providers that weir knows, or of one. ZONES are the names that --zones of
cloud cluster create takes. The public API does not list throughput tiers; the tiers of a region are in the vendor's
documentation.`,
  examples: [
    ['All regions', 'cloud region list'],
    ['Those of a provider for a type of cluster', 'cloud region list --cloud-provider gcp --cluster-type byoc'],
    ['For a script', 'cloud region list --cloud-provider aws --format json'],
  ],
  aliases: ['ls'],
  apis: ['cloud'],
  flags: {
    cloudProvider: flag(wordKind(words.provider), {
      help: 'list only regions of this cloud provider',
      aliases: ['provider'],
    }),
    clusterType: flag(wordKind(words.clusterType), { help: 'list only regions that have clusters of this type' }),
  },
  row: regionView.row,
  async read(context, { cloudProvider, clusterType }): Promise<readonly Region[]> {
    const cloud = await context.cloud();
    const providers = words.provider.short.flatMap((word) => apiWord(word, words.provider) ?? []);
    const lists = await Promise.all(
      (cloudProvider === undefined ? providers : [cloudProvider]).map((provider) =>
        cloud.listRegions(provider, { cluster_type: clusterType }),
      ),
    );
    const key = ({ cloud_provider: provider, name }: Region): string => `${provider}\n${name}`;
    return lists.flat().sort((a, b) => (key(a) < key(b) ? -1 : 1));
  },
  ...viewColumns(regionView),
});

/** `cloud region` */
export const region = noun({ summary: 'List the regions of cloud providers', commands: { list } });
