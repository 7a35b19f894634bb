import { printable } from '../../format/printable.ts';
import type { Name } from './name-cache.ts';

/** What a shell has typed, and whether it shows what is known about a name. */
export interface Typed {
  readonly typed: string;
  readonly described?: boolean;
}

/**
 * The names to offer for a typed word. Shells compare in ways of their own, some anywhere in a name and without regard to
 * case, so only names that none would take are left out; so are names that could control the terminal.
 */
export function offered(subject: string, names: readonly Name[], { typed, described }: Typed): readonly string[] {
  const wanted = typed.toLowerCase();
  const hidesInternal = /topics$/.test(subject) && !typed.startsWith('_');
  return names.flatMap((one) => {
    const [name, about = ''] = typeof one === 'string' ? [one] : one;
    // A name that begins with a hyphen would be read as a flag.
    if (name === '' || name.startsWith('-') || !name.toLowerCase().includes(wanted) || printable(name) !== name)
      return [];
    if (hidesInternal && name.startsWith('__')) return [];
    return [described && about !== '' ? `${name}\t${printable(about)}` : name];
  });
}
