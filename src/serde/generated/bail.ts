/** Thrown when a payload has anything irregular, so that the careful decoder starts again and finds out what. */
export const bail: unique symbol = Symbol('bail');
