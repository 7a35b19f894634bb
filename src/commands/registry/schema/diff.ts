import { one, optional } from '../../../cli/command.ts';
import { getCommand } from '../../../cli/forms/read.ts';
import type { Context } from '../../../context.ts';
import { notFoundError } from '../../../errors.ts';
import { aroundChanges, type DiffLine, diffLines } from '../../../format/line-diff.ts';
import { printable } from '../../../format/printable.ts';
import { shellWord } from '../../../format/shell-word.ts';
import { paint } from '../../../format/style.ts';
import type { View } from '../../../format/view.ts';
import { type RegisteredSchema, SchemaType } from '../../../registry/rows.ts';
import { listOf, row, string, truth, whole } from '../../../shape/shape.ts';
import { contextFlags, requireContexts, subjectIn } from '../../schema-context.ts';
import { schemaVersion, subjectName } from '../kinds.ts';
import { shownSchema } from '../schema-text.ts';

const contextLines = 3;
const diffSide = row({ version: whole, id: whole, type: SchemaType });

/** `registry schema diff` */
export const diff = getCommand({
  summary: 'Show what changed between two versions of a subject',
  description: `Compares the indented schemas line by line: - marks lines of VERSION1, + lines of VERSION2. Prints nothing but the
two versions if their schemas are the same. The exit code does not depend on the result.

Without versions, compares the last two. Without VERSION2, compares VERSION1 with the latest.`,
  examples: [
    ['The last change', 'registry schema diff orders-value'],
    ['From version 1 to the latest', 'registry schema diff orders-value 1'],
    ['Every line, as data', 'registry schema diff orders-value 1 2 --format json'],
  ],
  apis: ['registry'],
  args: {
    subject: one(subjectName, 'SUBJECT', 'subject of both versions'),
    from: optional(schemaVersion, 'VERSION1', 'old version (default: the last but one)'),
    to: optional(schemaVersion, 'VERSION2', 'new version (default: latest)'),
  },
  flags: contextFlags,
  row: row({ subject: string, from: diffSide, to: diffSide, same: truth, lines: listOf(string) }),
  async read(context, { subject: name, from, to = 'latest', ...values }) {
    await requireContexts(context, values);
    const subject = subjectIn(values, name);
    const registry = await context.registry();
    const [old, fresh] = await Promise.all([
      registry.readVersion(subject, from ?? (await lastButOne(context, subject)), true),
      registry.readVersion(subject, to, true),
    ]);
    const lines = diffLines(shownSchema(old).trimEnd(), shownSchema(fresh).trimEnd());
    return {
      subject,
      from: side(old),
      to: side(fresh),
      same: lines.every(({ sign }) => sign === ' '),
      lines: lines.map(({ sign, text }) => `${sign}${text}`),
    };
  },
  text({ subject, from, to, lines }, view) {
    const title = (sign: string, { version, id }: ReturnType<typeof side>) =>
      `${sign} ${printable(subject)} version ${version} (schema id ${id})\n`;
    const all = lines.map((line) => ({ sign: line.slice(0, 1), text: line.slice(1) }) as DiffLine);
    const shown = all.every(({ sign }) => sign === ' ') ? [] : aroundChanges(all, contextLines);
    return title('---', from) + title('+++', to) + shown.map((line) => shownLine(line, view)).join('');
  },
});

async function lastButOne(context: Context, subject: string): Promise<number> {
  const versions = await (await context.registry()).versions(subject, false);
  const previous = versions.at(-2);
  if (previous !== undefined) return previous;
  throw notFoundError(`the subject "${subject}" has only one version`, {
    target: subject,
    hints: [
      `include deleted versions by their numbers; list them with: weir registry schema list ${shellWord(subject)} --deleted`,
    ],
  });
}

function side({ version, id, type }: RegisteredSchema): Pick<RegisteredSchema, 'version' | 'id' | 'type'> {
  return { version, id, type };
}

function shownLine(line: DiffLine | undefined, view: View): string {
  if (line === undefined) return '…\n';
  const text = `${line.sign}${line.text}`;
  return `${view.color && line.sign !== ' ' ? paint(line.sign === '-' ? 'red' : 'green', text) : text}\n`;
}
