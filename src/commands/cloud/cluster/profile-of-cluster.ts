import { readProfiles } from '../../../config/profile/file.ts';
import type { Context } from '../../../context.ts';
import { printable } from '../../../format/printable.ts';
import { commandText } from '../../../format/shell-word.ts';

const mark = 'cloud cluster ';

/** The description of the profile that `cluster select` creates. */
export function describeProfile({ id, name }: { readonly id: string; readonly name: string }): string {
  return `${mark}${printable(name)} (${id})`;
}

/** Says which profiles `cluster select` has created for a cluster that is deleted now, and how they are removed. */
export async function noticeProfiles(context: Context, id: string): Promise<void> {
  const { configFile } = context.profileSelection();
  const file = configFile && (await readProfiles(configFile.path).catch(() => undefined));
  for (const { name, description = '' } of file?.profiles ?? []) {
    if (!description.startsWith(mark) || !description.endsWith(` (${id})`)) continue;
    const remove = commandText`remove it with: weir profile delete ${name}`;
    context.noticeAfter(`profile "${name}" still points to the deleted cluster; ${remove}`);
  }
}
