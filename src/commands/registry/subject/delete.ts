import { many, toggle } from '../../../cli/command.ts';
import { change, ifExists } from '../../../cli/forms/change.ts';
import { countAndNames } from '../../../format/name-lists.ts';
import { listOf, row, string, truth, whole } from '../../../shape/shape.ts';
import { matchesIfAny, missingIn } from '../../not-found.ts';
import { contextFlags } from '../../schema-context.ts';
import { chosenSubjects } from '../chosen-subjects.ts';
import { subjectOrPattern } from '../kinds.ts';

const nameOf = ({ subject }: { readonly subject: string }) => subject;

/** `registry subject delete` */
export const deleteCommand = change({
  summary: 'Delete subjects with all their versions',
  description: `A deleted subject can no longer be found, except with --deleted, but the ids of its schemas keep
working. With --permanent, everything is removed for good, also of subjects that are deleted already: records with
these ids become unreadable.

Subjects whose schemas refer to one another can be deleted together, in any order. With -r, deletes every subject
whose whole name matches.`,
  examples: [
    ['One subject', 'registry subject delete orders-value'],
    ['Subjects whose names begin with "tmp-", for good', "registry subject delete -r 'tmp-.*' --permanent"],
    ['Show what would be deleted', "registry subject delete -r 'tmp-.*' --dry-run"],
  ],
  apis: ['registry'],
  args: { subjects: many(subjectOrPattern, 'SUBJECT', 'names of subjects, or regular expressions with -r') },
  flags: {
    permanent: toggle({ help: 'remove the subjects for good' }),
    regex: toggle({ short: 'r', help: 'treat arguments as regular expressions that match whole names' }),
    ifExists,
    ...contextFlags,
  },
  changes: 'destroys',
  namesAll: ({ regex }) => !regex,
  noun: 'subject',
  item: row({ subject: string, versions_deleted: listOf(whole), permanent: truth }),
  async plan(context, { permanent, ifExists: isOptional, ...values }) {
    const choice = { ...values, deleted: permanent };
    const chosen = await matchesIfAny(isOptional, chosenSubjects(context, choice, 'delete subjects'));
    const rows = await (await context.registry()).versionsOf(chosen, permanent);
    return rows.map(({ subject, versions, error }) => ({ subject, versions_deleted: versions, permanent, error }));
  },
  asks: (subjects, { permanent }) =>
    `${permanent ? 'Permanently delete' : 'Delete'} ${countAndNames('subject', subjects.map(nameOf))} with all versions`,
  previews: true,
  async apply(context, subjects, { permanent }) {
    const deleted = await (await context.registry()).deleteSubjects(subjects.map(nameOf), permanent);
    return deleted.map(({ versions, error }) => ({ versions_deleted: versions, error }));
  },
  columns: ['subject', 'versions_deleted'],
  would: 'be deleted',
  ends: 'error',
  after(context, subjects) {
    if (missingIn(subjects, nameOf).length > 0) context.hintAfter('see the subjects with: weir registry subject list');
  },
});
