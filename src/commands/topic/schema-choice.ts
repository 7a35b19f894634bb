import type { Kind } from '../../kinds.ts';
import type { SchemaChoice } from './record-schemas.ts';

const maxId = 0xffff_ffff;

/** A schema id, or the word `topic`; an empty text is none, as in rpk. */
export const schemaChoice: Kind<SchemaChoice | undefined> = {
  name: 'schema',
  hint: 'ID|topic',
  parse(text) {
    if (text === '') return undefined;
    if (text.toLowerCase() === 'topic') return 'topic';
    if (!/^\d{1,10}$/.test(text) || Number(text) > maxId) throw new Error('use a schema id, or the word topic');
    return Number(text);
  },
  show: (choice) => String(choice ?? ''),
};
