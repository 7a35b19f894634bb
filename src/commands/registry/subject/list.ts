import { any, toggle } from '../../../cli/command.ts';
import { listCommand } from '../../../cli/forms/read.ts';
import { printable } from '../../../format/printable.ts';
import { string } from '../../../shape/shape.ts';
import { contextFlags } from '../../schema-context.ts';
import { matchingSubjects, noticeNoSubject } from '../chosen-subjects.ts';
import { subjectOrPattern } from '../kinds.ts';

/** `registry subject list` */
export const list = listCommand({
  summary: 'List the subjects of the registry',
  examples: [
    ['All subjects', 'registry subject list'],
    ['Those of the topic orders, with deleted ones', "registry subject list 'orders-.*' --deleted"],
    ['For a script', 'registry subject list --format json'],
  ],
  aliases: ['ls'],
  apis: ['registry'],
  args: {
    subjects: any(subjectOrPattern, 'REGEX', 'regular expressions that match whole names (default: all subjects)'),
  },
  flags: {
    deleted: toggle({ help: 'include deleted subjects' }),
    ...contextFlags,
    regex: toggle({
      short: 'r',
      help: 'accepted for symmetry: arguments are regular expressions anyway',
      hidden: true,
    }),
  },
  row: string,
  async read(context, { subjects, ...values }) {
    const choice = { ...values, subjects, regex: true };
    const matches = await matchingSubjects(context, choice);
    if (subjects.length > 0 && matches.length === 0) await noticeNoSubject(context, choice);
    return matches;
  },
  text: (names) => names.map((name) => `${printable(name)}\n`).join(''),
});
