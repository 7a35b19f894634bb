import { type Kind, text } from '../../kinds.ts';

/** An id of the control plane: opaque, but it is a part of a path. */
export const identifier: Kind<string> = {
  ...text,
  name: 'id',
  parse(value) {
    if (value.trim() === '') throw new Error('an id is empty');
    if (value === '.' || value === '..') throw new Error('not an id');
    return value;
  },
};
