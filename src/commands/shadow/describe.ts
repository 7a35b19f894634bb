import { ShadowLink } from '../../admin/shadow/link-rows.ts';
import { linkConfig } from '../../admin/shadow/link-words.ts';
import { one, partlyShown, toggle, type ValuesOf } from '../../cli/command.ts';
import { toYaml } from '../../cli/output/render.ts';
import { sections } from '../../format/sections.ts';
import { maybe, object, type RowOf, row, string } from '../../shape/shape.ts';
import { linkName, requireLink } from './link-name.ts';
import { overviewText } from './link-text.ts';

const { name, uid } = ShadowLink.fields;

/** The configuration of a link. */
const DescribedLink = row({
  name,
  uid,
  state: maybe(string),
  /** As in a file of `shadow create`; what has its default is left out, and a secret is `[secret]`. */
  configuration: object,
});
type DescribedLink = RowOf<typeof DescribedLink> & {
  /** The sections to print, as YAML. */
  readonly yaml: string;
  readonly hasOverview: boolean;
};

const sectionFlags = {
  printOverview: toggle({ short: 'o', help: 'print the name and the state' }),
  printClient: toggle({ short: 'c', help: 'print client_options' }),
  printTopic: toggle({ short: 't', help: 'print topic_metadata_sync_options' }),
  printConsumer: toggle({ short: 'r', help: 'print consumer_offset_sync_options' }),
  printSecurity: toggle({ short: 's', help: 'print security_sync_options' }),
  printRegistry: toggle({ short: 'y', help: 'print schema_registry_sync_options' }),
  printRole: toggle({ help: 'print role_sync_options' }),
  printAll: toggle({ short: 'a', help: 'print everything (default)' }),
};
type Chosen = Omit<ValuesOf<typeof sectionFlags>, 'printOverview' | 'printAll'>;

const sectionOfFlag: Readonly<Record<keyof Chosen, string>> = {
  printClient: 'client_options',
  printTopic: 'topic_metadata_sync_options',
  printConsumer: 'consumer_offset_sync_options',
  printSecurity: 'security_sync_options',
  printRegistry: 'schema_registry_sync_options',
  printRole: 'role_sync_options',
};

/** `shadow describe` */
export const describe = partlyShown({
  summary: 'Show the configuration of a shadow link',
  description: `Prints the configuration as it is in a file of weir shadow create. What has its default is left out. The cluster returns
no passwords and keys: one that is set is shown as "[secret]".`,
  examples: [
    ['Everything', 'shadow describe dr'],
    ['Only which topics are copied', 'shadow describe dr -t'],
    ['For a script', 'shadow describe dr --format json'],
  ],
  apis: ['admin'],
  args: { link: one(linkName, 'LINK', 'name of the link') },
  flags: sectionFlags,
  changes: 'reads',
  result: DescribedLink,
  async run(context, { link, printOverview, printAll, ...chosen }): Promise<DescribedLink> {
    const { name, uid, state, configurations } = await requireLink(context, link);
    const configuration = linkConfig(configurations);
    const named = (Object.keys(sectionOfFlag) as (keyof Chosen)[]).filter((flag) => chosen[flag]);
    const isAll = printAll || !(printOverview || named.length > 0);
    const kept = new Set(named.map((flag) => sectionOfFlag[flag]));
    const shown = Object.entries(configuration).filter(([section]) => isAll || kept.has(section));
    const yaml = isAll || named.length > 0 ? await toYaml(Object.fromEntries(shown)) : '';
    return { name, uid, state, configuration, yaml, hasOverview: isAll || printOverview };
  },
  show: {
    json: ({ name, uid, state, configuration }) => ({ name, uid, state, configuration }),
    text: ({ yaml, hasOverview, ...link }, view) =>
      sections(
        [
          ...(hasOverview ? [{ title: 'overview', body: overviewText(link, view) }] : []),
          ...(yaml === '' ? [] : [{ title: 'configuration', body: yaml }]),
        ],
        view,
      ),
  },
});
