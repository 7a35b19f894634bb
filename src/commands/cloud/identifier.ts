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
