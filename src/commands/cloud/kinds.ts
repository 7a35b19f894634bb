import { isIP } from 'node:net';
import { apiWord, type Words } from '../../cloud/api/cloud-words.ts';
import { type Kind, text } from '../../kinds.ts';

/** An id of the control plane: opaque, but usable as a part of a path. */
export const identifier: Kind<string> = {
  ...text,
  name: 'id',
  parse(value) {
    if (value.trim() === '') throw new Error('the id is empty');
    if (value === '.' || value === '..') throw new Error('not a valid id');
    return value;
  },
};

/** A cluster by its id or name, and so on for what else completion can list. */
export const clusterWord: Kind<string> = { ...identifier, completes: 'cloud-cluster' };
export const networkWord: Kind<string> = { ...identifier, completes: 'cloud-network' };
export const resourceGroupWord: Kind<string> = { ...identifier, completes: 'resource-group' };

/** A range of IP addresses, such as `10.0.0.0/20`. */
export const addressRange: Kind<string> = {
  ...text,
  name: 'address range',
  hint: 'ADDRESS/PREFIX',
  parse(value) {
    const [, address = '', prefix = ''] = /^([^/]+)\/(\d{1,3})$/.exec(value) ?? [];
    const version = isIP(address);
    const bits = version === 4 ? 32 : 128;
    if (version === 0) throw new Error('not of the form ADDRESS/PREFIX, for example 10.0.0.0/20');
    if (Number(prefix) > bits) throw new Error(`the prefix after "/" must be a number from 0 to ${bits}`);
    return value;
  },
};

/** A word of an enum: the short one or the API's own, parsed as the API's own. */
export function wordKind(words: Words): Kind<string> {
  return {
    name: words.name,
    // Help is 80 columns wide; where there are more, the help of the flag lists them.
    hint: words.short.length > 4 ? 'TYPE' : words.short.join('|'),
    choices: words.short,
    parse(text) {
      const word = apiWord(text, words);
      if (word !== undefined) return word;
      throw new Error(`not one of ${words.short.join(', ')} (or a word that begins with ${words.prefix})`);
    },
    show: (word) => word,
  };
}
