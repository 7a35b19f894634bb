import type { ShadowTopic } from '../../admin/shadow/link-rows.ts';
import { one, toggle } from '../../cli/command.ts';
import { change } from '../../cli/forms/change.ts';
import { CliError, exitCodes, stoppedError } from '../../errors.ts';
import { count } from '../../format/count.ts';
import { shortList } from '../../format/name-lists.ts';
import { printable } from '../../format/printable.ts';
import { commandText } from '../../format/shell-word.ts';
import { plainView } from '../../format/view.ts';
import { listOf, row, string } from '../../shape/shape.ts';
import { sending } from '../interruption.ts';
import { isIndependent, lagOf, tellLag, withAllPartitions } from './lag.ts';
import { linkName, requireLink } from './link-name.ts';
import { topicTable } from './link-text.ts';

/** `shadow delete` */
export const remove = change({
  summary: 'Delete a shadow link',
  description: `The topics and their records stay, and clients can write to all of them. A link that still copies topics, which are those
in any state but FAULTED, FAILED_OVER and PROMOTED, is not deleted (exit code 6): fail it over first, with weir shadow
failover. With --force, it is deleted nevertheless, at once: a last resort if topics stay in FAILING_OVER. The question shows
what would be lost of all topics that are not failed over.`,
  examples: [
    ['After a failover', 'shadow delete dr'],
    ['Although it still copies topics', 'shadow delete dr --force'],
    ['Without a prompt', 'shadow delete dr --yes'],
  ],
  apis: ['admin'],
  args: { link: one(linkName, 'LINK', 'name of the link') },
  flags: { force: toggle({ short: 'f', help: 'delete the link although it still copies topics' }) },
  changes: 'destroys',
  namesAll: true,
  noun: 'link',
  isOne: true,
  item: row({
    name: string,
    /** The topics that are read-only until it is deleted: the cluster still copies them, or has given up. */
    topics: listOf(string),
  }),
  async plan(context, { link, force }) {
    const { topics } = await requireLink(context, link);
    const copied = topics.filter(isCopied);
    if (copied.length > 0 && !force) throw copies(link, copied);
    const freed = await withAllPartitions(
      context,
      topics.filter((topic) => !isIndependent(topic)),
    );
    return [{ name: link, topics: freed.map(({ name }) => name), freed }];
  },
  asks([planned]) {
    if (planned === undefined) return null;
    const { name, freed } = planned;
    if (freed.length === 0) return `Delete shadow link "${name}"`;
    const topics = count(freed.length, 'topic');
    return {
      question: `Delete shadow link "${name}", end the copying of ${topics}, and lose ${tellLag(lagOf(freed))},`,
      preview: topicTable(freed, plainView),
    };
  },
  async applyEach(context, { name }, { force }) {
    const admin = await context.admin();
    sending(context, `deleting shadow link "${name}"`, 'weir shadow list');
    await admin.deleteShadowLink({ name, force });
    context.onInterrupt(stoppedError(`shadow link "${name}" has been deleted`, [], name));
    return {};
  },
  text: (links) =>
    links
      .map(({ name, dry_run: isDryRun }) => {
        const link = `shadow link "${printable(name)}"`;
        return isDryRun ? `OK (dry run: ${link} would be deleted)\n` : `deleted ${link}\n`;
      })
      .join(''),
});

/** Whether a topic keeps its link from being deleted (redpanda commit 1b95a07c: src/v/cluster_link/manager.cc:577). */
function isCopied({ state }: ShadowTopic): boolean {
  return state !== 'FAULTED' && state !== 'FAILED_OVER' && state !== 'PROMOTED';
}

function copies(link: string, copied: readonly ShadowTopic[]): CliError {
  const names = shortList(copied.map(({ name }) => name));
  return new CliError(exitCodes.conflict, `unable to delete shadow link "${link}": it still copies ${names}`, {
    code: 'LINK_HAS_TOPICS',
    target: link,
    hints: [
      commandText`fail the topics over first: weir shadow failover ${link} --all`,
      'if they stay in FAILING_OVER, delete it with --force',
    ],
  });
}
